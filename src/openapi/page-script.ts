/**
 * The one script of the page. Its hash is in the policy. It makes a form of each operation, sends a request by it, and
 * shows what comes, as it comes. It shows all as text, and sends requests to the API alone. It keeps a token for the
 * tab. It is a text here and no function: bundlers rewrite functions, and the browser has none of their helpers.
 */
export const script: string = String.raw`
"use strict";
const make = (name, has, ...inside) => {
  const made = Object.assign(document.createElement(name), has);
  made.append(...inside);
  return made;
};
const labeled = (name, about, input) =>
  make("label", {}, make("span", {}, name + " ", make("small", {}, about)), input);
const kept = (key, value) => {
  try {
    if (value !== undefined) sessionStorage.setItem(key, value);
    return sessionStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
};
const neat = (json) => {
  try {
    return /\d{16}/.test(json) ? json : JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
};
const inBase64 = (text) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

for (const article of document.querySelectorAll("[data-try]")) {
  const box = make("details", { className: "try" }, make("summary", {}, "Send it from here"));
  const [method, path] = ["b", "code"].map((one) => article.querySelector("h3 " + one).textContent);
  box.addEventListener(
    "toggle",
    () => fill(box, article, method, path, JSON.parse(article.dataset.try)),
    { once: true },
  );
  article.append(box);
}

function fill(box, article, method, path, { params = [], keys = [], type, text, parts, socket }) {
  const inputs = params.map(([name, place, required = 0, form = "one", value = name]) => {
    const input = make("input", { name, required: required === 1, value: required ? value : "" });
    return { name, place, form, input, such: required || value === name ? "" : ", such as " + value };
  });
  const secrets = keys.map(([kind, name]) => {
    const key = "fingerpost " + kind + " " + name;
    const input = make("input", { name: kind, type: "password", autocomplete: "off", value: kept(key) });
    input.dataset.key = key;
    input.oninput = () => {
      kept(key, input.value);
      for (const other of document.querySelectorAll("[data-key]"))
        if (other.dataset.key === key) other.value = input.value;
    };
    return { kind, name, input };
  });
  const pieces = (parts ?? []).map(([name, value]) => ({
    name,
    input: make("input", value === null ? { name, type: "file", multiple: true } : { name, value }),
  }));
  const content =
    type === undefined || parts !== undefined
      ? null
      : text === null
        ? make("input", { name: "content", type: "file" })
        : make("textarea", {
            name: "content",
            rows: 8,
            spellcheck: false,
            value: text ?? neat(article.querySelector("h4 ~ pre").textContent),
          });
  const stop = make("button", { type: "button", hidden: true }, "Stop");
  const output = make("output", {});
  const fields = make("pre", { hidden: true, tabIndex: 0 });
  const shown = make("pre", { hidden: true, tabIndex: 0 });
  const link = make("p", {});
  const message = make("textarea", { rows: 4, spellcheck: false, value: neat(socket ?? "") });
  const say = make("button", { type: "button" }, "Send message");
  const talk = make("div", { hidden: true }, labeled("message", "", message), say);
  const form = make(
    "form",
    {},
    ...inputs.map(({ name, place, form, input, such }) =>
      labeled(
        name,
        (form === "list" ? "query, by commas" : form === "pairs" ? "query, as a=1&b=2" : place) + such,
        input,
      ),
    ),
    ...secrets.map(({ kind, name, input }) =>
      kind === "cookie"
        ? make("p", {}, "The browser sends the cookie " + name + " itself.")
        : labeled(
            kind === "token" ? "token" : kind === "basic" ? "user:password" : name,
            kind === "token" ? name : kind,
            input,
          ),
    ),
    ...pieces.map(({ name, input }) => labeled(name, "form", input)),
    ...(content === null ? [] : [labeled("content", type, content)]),
    make("div", {}, make("button", {}, socket === undefined ? "Send" : "Connect"), " ", stop),
  );
  let end = () => {};
  let run;
  stop.onclick = () => end();
  box.append(form, output, talk, fields, link, shown);

  const add = (text) => {
    shown.hidden = false;
    shown.append(text);
    while (shown.childNodes.length > 999) shown.firstChild.remove();
  };

  function target() {
    let filled = path;
    const search = [];
    const pair = (name, value) => search.push(encodeURIComponent(name) + "=" + encodeURIComponent(value));
    for (const { name, place, form, input } of inputs) {
      const { value } = input;
      if (place === "path") {
        const each = form === "rest" ? value.split("/") : [value];
        if (each.some((one) => one === "." || one === ".."))
          throw new Error(name + " cannot be " + value + ": a browser makes another path of it");
        filled = filled.replace("{" + name + "}", () => each.map(encodeURIComponent).join("/"));
      } else if (place === "query" && value !== "") {
        if (form === "pairs") for (const [key, one] of new URLSearchParams(value)) pair(key, one);
        else for (const one of form === "list" ? value.split(",") : [value]) pair(name, one);
      }
    }
    for (const { kind, name, input } of secrets) if (kind === "query" && input.value !== "") pair(name, input.value);
    const url = new URL(new URL(document.body.dataset.api, location.origin).href.replace(/\/$/, "") + filled);
    url.search = search.join("&");
    return url;
  }

  function head() {
    const headers = new Headers();
    for (const { name, place, input } of inputs)
      if (place === "header" && input.value !== "") headers.set(name, input.value);
    for (const { kind, name, input } of secrets) {
      if (input.value === "") continue;
      if (kind === "header") headers.set(name, input.value);
      if (kind === "token") headers.set("authorization", name + " " + input.value);
      if (kind === "basic") headers.set("authorization", "Basic " + inBase64(input.value));
    }
    return headers;
  }

  function bodyIn(headers) {
    if (parts !== undefined) {
      const data = type.startsWith("multipart/") ? new FormData() : new URLSearchParams();
      for (const { name, input } of pieces)
        for (const value of input.files ?? [input.value]) data.append(name, value);
      return data;
    }
    if (content === null) return undefined;
    const [file] = content.files ?? [];
    headers.set("content-type", file !== undefined && type.includes("*") ? file.type : type);
    return content.files === null || content.files === undefined ? content.value : file;
  }

  async function send() {
    const control = new AbortController();
    end = () => control.abort();
    const headers = head();
    const begun = performance.now();
    const body = bodyIn(headers);
    const response = await fetch(target(), { method, headers, body, signal: control.signal, cache: "no-store" });
    output.textContent =
      response.status + " " + response.statusText + ", " + Math.round(performance.now() - begun) + " ms";
    fields.hidden = false;
    fields.textContent = [...response.headers].map((one) => one.join(": ")).join("\n");
    const sent = response.headers.get("content-type") ?? "";
    if (response.body === null) return;
    if (!/^text\/|json|xml|yaml|script|urlencoded/.test(sent)) {
      const blob = await response.blob();
      const has = { href: URL.createObjectURL(blob), download: path.split("/").at(-1) };
      if (blob.size > 0) link.append(make("a", has, "Save " + blob.size + " bytes"));
      return;
    }
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let whole = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (whole.length < 1e6) whole += value;
      add(value);
    }
    if (/json(?:;|$)/.test(sent) && whole.length < 1e6) shown.textContent = neat(whole);
  }

  function connect(own) {
    const url = target();
    url.protocol = url.protocol.replace("http", "ws");
    const peer = new WebSocket(url);
    peer.binaryType = "arraybuffer";
    end = () => peer.close(1000);
    say.onclick = () => {
      peer.send(message.value);
      add("> " + message.value + "\n");
    };
    return new Promise((done) => {
      peer.onopen = () => {
        output.textContent = "Open";
        talk.hidden = false;
      };
      peer.onmessage = ({ data }) =>
        run === own && add("< " + (typeof data === "string" ? data : data.byteLength + " bytes") + "\n");
      peer.onclose = ({ code, reason }) => {
        done();
        if (run !== own) return;
        output.textContent = "Closed: " + code + " " + reason;
        talk.hidden = true;
      };
    });
  }

  // Not on the form: an input may have the name of a property of it.
  box.addEventListener("submit", async (event) => {
    event.preventDefault();
    end();
    talk.hidden = true;
    fields.hidden = shown.hidden = true;
    shown.textContent = "";
    link.replaceChildren();
    output.textContent = "Sent";
    stop.hidden = false;
    // What was sent before ends then, and says nothing more.
    const own = (run = {});
    try {
      await (socket === undefined ? send() : connect(own));
    } catch (error) {
      if (run === own) output.textContent = error.name === "AbortError" ? "Stopped" : "No answer: " + error.message;
    }
    if (run === own) stop.hidden = true;
  });
}
`
  // Nobody reads it there.
  .replaceAll(/\n */g, "\n");
