/// A file of the control panel. All of them are in the program itself: nothing is fetched, and nothing can be missing.
package struct PanelFile: Sendable {
    package let bytes: [UInt8]
    package let contentType: String

    /// What a browser asks for first.
    package static let index = "index.html"

    /// By the name under which the page asks for it: `app.css`.
    package static let all: [String: PanelFile] = resources.reduce(into: [:]) { all, file in
        all[file.key] = PanelFile(bytes: file.value, contentType: contentType(of: file.key))
    }

    /// What the panel's pages may do: run, load and ask nothing but what the hub itself serves, within nobody else's
    /// frame. Pictures may also be those of an answer or of an app, which are data. A message that is shown as its sender
    /// laid it out stands in a frame that is held to this policy beside its own, and has its look in attributes.
    package static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; "
        + "img-src 'self' data: blob:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

    private static func contentType(of name: String) -> String {
        let type =
            switch name.split(separator: ".").last {
            case "html": "text/html"
            case "css": "text/css"
            case "js": "text/javascript"
            case "svg": "image/svg+xml"
            default: "application/octet-stream"
            }
        return type + "; charset=utf-8"
    }

    private static let resources: [String: [UInt8]] = [
        "api.js": PackageResources.api_js,
        "app.css": PackageResources.app_css,
        "apps-access.js": PackageResources.apps_access_js,
        "apps-audit.js": PackageResources.apps_audit_js,
        "apps-card.js": PackageResources.apps_card_js,
        "apps-scheme.js": PackageResources.apps_scheme_js,
        "chart.js": PackageResources.chart_js,
        "chat-answer.js": PackageResources.chat_answer_js,
        "chat-composer.js": PackageResources.chat_composer_js,
        "chat-routing.js": PackageResources.chat_routing_js,
        "chat.css": PackageResources.chat_css,
        "components.js": PackageResources.components_js,
        "controls.css": PackageResources.controls_css,
        "dialogs.js": PackageResources.dialogs_js,
        "dom.js": PackageResources.dom_js,
        "favicon.svg": PackageResources.favicon_svg,
        "feedback.js": PackageResources.feedback_js,
        "format.js": PackageResources.format_js,
        "forms.js": PackageResources.forms_js,
        "frame.css": PackageResources.frame_css,
        "icons.svg": PackageResources.icons_svg,
        "index.html": PackageResources.index_html,
        "keys.js": PackageResources.keys_js,
        "license.js": PackageResources.license_js,
        "live.js": PackageResources.live_js,
        "loading.js": PackageResources.loading_js,
        "mail-corrections.js": PackageResources.mail_corrections_js,
        "mail-frame.js": PackageResources.mail_frame_js,
        "mail-list.js": PackageResources.mail_list_js,
        "mail-message.js": PackageResources.mail_message_js,
        "mail-tabs.js": PackageResources.mail_tabs_js,
        "mail-verdict.css": PackageResources.mail_verdict_css,
        "mail-verdict.js": PackageResources.mail_verdict_js,
        "mail-work.js": PackageResources.mail_work_js,
        "mail.css": PackageResources.mail_css,
        "main.js": PackageResources.main_js,
        "markdown.js": PackageResources.markdown_js,
        "models-downloads.js": PackageResources.models_downloads_js,
        "models-find.js": PackageResources.models_find_js,
        "models-pull.js": PackageResources.models_pull_js,
        "page-about.js": PackageResources.page_about_js,
        "page-activity.js": PackageResources.page_activity_js,
        "page-apps.js": PackageResources.page_apps_js,
        "page-chat.js": PackageResources.page_chat_js,
        "page-mail.js": PackageResources.page_mail_js,
        "page-models.js": PackageResources.page_models_js,
        "page-privacy.js": PackageResources.page_privacy_js,
        "page-runners.js": PackageResources.page_runners_js,
        "page-settings.js": PackageResources.page_settings_js,
        "page-signin.js": PackageResources.page_signin_js,
        "pages.css": PackageResources.pages_css,
        "status.js": PackageResources.status_js,
        "surfaces.css": PackageResources.surfaces_css,
        "theme.js": PackageResources.theme_js,
        "views.css": PackageResources.views_css,
    ]
}
