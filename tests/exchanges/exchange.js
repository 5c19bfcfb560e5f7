// An exchange as text: the request by `>`, the answer by `<`, what was thrown by `!`, and what was reported by `*`.
import { errorText } from "./applications/around.js";

const longest = 4_000;

/** What came of one request is written below its name. */
export class Recording {
  #names = new Map();
  #texts = [];

  /** @param {string} name of the exchange, to which a number is added if there is another one */
  add(name, lines) {
    const count = (this.#names.get(name) ?? 0) + 1;
    this.#names.set(name, count);
    this.#texts.push(`=== ${count === 1 ? name : `${name} #${count}`}\n${lines.flat().join("\n")}\n`);
  }

  get count() {
    return this.#texts.length;
  }

  toString() {
    return this.#texts.join("");
  }
}

/** The name of what is asked. */
export function nameOf({ method, path, headers = {} }) {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return cut(`${method} ${path} ${fields.join("; ")}`.trim(), 160);
}

export function requestLines({ body }) {
  if (body === undefined) return [];
  return contentLines(typeof body === "string" ? new TextEncoder().encode(body) : body).map((line) => `> ${line}`);
}

/** An answer: its status with the reason, its fields in order, and its content. */
export function answerLines(status, fields, content) {
  return [
    `< ${status}`,
    ...fields.map(([name, value]) => `< ${name}: ${value}`),
    ...contentLines(content).map((line) => `<   ${line}`),
  ];
}

/** Content as text, if it is; of long content, how it begins, its length and its digest. */
export function contentLines(bytes) {
  if (bytes.length === 0) return [];
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    text = `bytes ${Array.from(bytes.subarray(0, 200), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
  }
  const end = text.length <= longest ? "" : ` and more: ${bytes.length} bytes, ${digestOf(bytes)}`;
  const shown = text.length <= longest ? text : text.slice(0, longest / 10);
  return `${shown}${end}`.split("\n").map((line) => JSON.stringify(line).slice(1, -1).replaceAll(`\\"`, `"`));
}

export const errorLines = (error) => [`! ${errorText(error)}`];
export const noteLines = (notes) => notes.map((one) => `* ${one}`);

export function cut(text, length) {
  return text.length <= length ? text : `${text.slice(0, length)}… ${text.length} ${digestOf(text)}`;
}

/** FNV-1a of 64 bits in two halves, on every runtime alike. */
function digestOf(value) {
  const bytes = typeof value === "string" ? new TextEncoder().encode(value) : value;
  let [one, other] = [2_166_136_261, 40_389];
  for (const byte of bytes) {
    one = Math.imul(one ^ byte, 16_777_619) >>> 0;
    other = Math.imul(other ^ (byte + 1), 2_654_435_761) >>> 0;
  }
  return one.toString(16).padStart(8, "0") + other.toString(16).padStart(8, "0");
}
