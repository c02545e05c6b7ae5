import Foundation

/// The property list of a launch agent (launchd.plist(5)).
enum LaunchAgent {
    static let label = "breeze.hub"

    /// `log` takes what the hub writes to standard error.
    static func text(_ program: ServiceProgram, log: URL) -> String {
        let executable = program.executable.path(percentEncoded: false)
        let words = ([executable] + program.arguments)
            .map { "        <string>\(escaped($0))</string>\n" }.joined()
        let environment = program.environment.sorted { $0.key < $1.key }.map { name, value in
            "        <key>\(escaped(name))</key>\n        <string>\(escaped(value))</string>\n"
        }.joined()
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <!-- \(ServiceFile.marker) -->
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>
                <key>Label</key>
                <string>\(label)</string>
                <key>ProgramArguments</key>
                <array>
            \(words)    </array>
                <key>EnvironmentVariables</key>
                <dict>
            \(environment)    </dict>
                <key>RunAtLoad</key>
                <true/>
                <!-- After a crash, and not after an end that was asked for. -->
                <key>KeepAlive</key>
                <dict>
                    <key>SuccessfulExit</key>
                    <false/>
                </dict>
                <!-- Somebody waits for each answer: a background job would be slowed down. -->
                <key>ProcessType</key>
                <string>Interactive</string>
                <key>ExitTimeOut</key>
                <integer>20</integer>
                <!-- 077: what it writes is its owner's alone. -->
                <key>Umask</key>
                <integer>63</integer>
                <key>StandardErrorPath</key>
                <string>\(escaped(log.path(percentEncoded: false)))</string>
            </dict>
            </plist>

            """
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
