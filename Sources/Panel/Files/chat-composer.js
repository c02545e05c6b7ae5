// Where a question is written, and pictures are added to it.

import { iconButton } from "./components.js";
import { toast } from "./feedback.js";
import { announce, h, icon, refill } from "./dom.js";

const KINDS = ["image/png", "image/jpeg", "image/webp"];
const LARGEST = 10_000_000;
const MOST = 8;

export class Composer {
  #images = [];
  #isBusy = false;
  #isEnabled = false;
  #actions;
  #text = h("textarea", {
    class: "composer-text",
    rows: "1",
    placeholder: "Ask anything",
    "aria-label": "Your question",
  });
  #file = h("input", {
    type: "file",
    accept: KINDS.join(","),
    multiple: true,
    hidden: true,
    tabindex: "-1",
    "aria-label": "Image files",
  });
  #previews = h("div", { class: "pictures", "aria-label": "Attached images", role: "group", hidden: true });
  #attach = iconButton("image", "Attach an image", () => this.#file.click());
  #send = h("button", {
    type: "submit",
    class: "button primary icon-only send",
    "aria-label": "Send",
    title: "Send",
  }, icon("send"));

  constructor(actions) {
    this.#actions = actions;
    this.element = h(
      "form",
      { class: "composer", onsubmit: (event) => this.#submit(event) },
      h(
        "div",
        { class: "composer-box" },
        this.#previews,
        this.#text,
        h(
          "div",
          { class: "composer-foot" },
          this.#attach,
          this.#file,
          h("span", { class: "hint" }, "Enter sends, Shift + Enter begins a new line"),
          this.#send,
        ),
      ),
    );
    this.#text.addEventListener("input", () => this.#resize());
    this.#text.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing) this.#submit(event);
      if (event.key === "Escape" && this.#isBusy) this.#actions.stop();
    });
    this.#text.addEventListener("paste", (event) => {
      const files = [...event.clipboardData.files];
      if (!files.length) return;
      event.preventDefault();
      this.#add(files);
    });
    this.#file.addEventListener("change", () => {
      this.#add([...this.#file.files]);
      this.#file.value = "";
    });
    this.element.addEventListener("dragover", (event) => event.preventDefault());
    this.element.addEventListener("drop", (event) => {
      event.preventDefault();
      this.#add([...event.dataTransfer.files]);
    });
    this.#draw();
  }

  focus() {
    this.#text.focus();
  }

  enable(isEnabled) {
    this.#isEnabled = isEnabled;
    this.#draw();
  }

  /// While an answer is written, sending becomes stopping.
  busy(isBusy) {
    this.#isBusy = isBusy;
    this.#draw();
  }

  #draw() {
    const label = this.#isBusy ? "Stop" : "Send";
    this.#send.replaceChildren(icon(this.#isBusy ? "stop" : "send"));
    this.#send.setAttribute("aria-label", label);
    this.#send.title = label;
    this.#send.disabled = !this.#isBusy &&
      (!this.#isEnabled || (!this.#text.value.trim() && !this.#images.length));
    this.#text.disabled = !this.#isEnabled;
    this.#attach.disabled = !this.#isEnabled;
  }

  #resize() {
    this.#text.style.height = "auto";
    this.#text.style.height = `${Math.min(this.#text.scrollHeight, 220)}px`;
    this.#draw();
  }

  #submit(event) {
    event.preventDefault();
    if (this.#isBusy) {
      // Enter while an answer is written must not stop it by accident.
      if (event.type === "submit") this.#actions.stop();
      return;
    }
    const text = this.#text.value.trim();
    if (!this.#isEnabled || (!text && !this.#images.length)) return;
    const images = this.#images;
    this.#images = [];
    this.#text.value = "";
    this.#show();
    this.#resize();
    this.#actions.send(text, images);
  }

  async #add(files) {
    for (const file of files) {
      if (!KINDS.includes(file.type)) toast(`“${file.name}” is no PNG, JPEG or WebP image.`);
      else if (file.size > LARGEST) toast(`“${file.name}” is larger than 10 MB.`);
      else if (this.#images.length >= MOST) toast(`A question takes ${MOST} images at most.`);
      else this.#images.push(await dataURL(file));
    }
    this.#show();
    announce(`${this.#images.length} attached`);
    this.#text.focus();
  }

  #show() {
    this.#previews.hidden = !this.#images.length;
    refill(
      this.#previews,
      this.#images.map((src, index) =>
        h(
          "div",
          { class: "preview" },
          h("img", { src, alt: `Attached image ${index + 1}` }),
          iconButton("close", `Remove image ${index + 1}`, () => {
            this.#images.splice(index, 1);
            this.#show();
            this.#text.focus();
          }, { small: true, kind: "" }),
        )
      ),
    );
    this.#draw();
  }
}

function dataURL(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
