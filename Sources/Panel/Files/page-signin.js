// Without a token: how to come by one.

import { command, failure } from "./feedback.js";
import { h, svg } from "./dom.js";

let lastFailure = null;

export default {
  title: "Sign in",

  /// Keeps why the link's code was not taken, for the page that is shown next.
  failed(error) {
    lastFailure = error;
  },

  show(main) {
    const mark = svg(
      "svg",
      { class: "signin-mark", viewBox: "0 0 32 32", "aria-hidden": "true" },
      svg("use", { href: "#icon-brand" }),
    );
    main.append(
      h(
        "div",
        { class: "signin" },
        mark,
        h("h1", { tabindex: "-1" }, "Breeze"),
        lastFailure && failure(lastFailure),
        h(
          "p",
          {},
          "This panel is for the owner of this device. It opens with a link that works once and for one minute. To get one, type in a terminal:",
        ),
        command("breeze panel"),
        h(
          "p",
          { class: "hint" },
          "Then open the link that it prints. Nobody needs a password, and closing this tab signs you out.",
        ),
      ),
    );
    lastFailure = null;
  },
};
