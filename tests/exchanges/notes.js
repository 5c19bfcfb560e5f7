import { errorText } from "./applications/around.js";

/** What is reported meanwhile: by handlers, by `onError`, and on the console. */
export function notesOf() {
  const notes = [];
  const note = (text) => void notes.push(text);
  for (const level of ["error", "warn"]) {
    console[level] = (...values) => {
      const text = values.map((value) => errorText(value)).join(" ");
      // Warnings of Node itself, with the number of the process.
      if (!/^string \((?:node:\d|Use `)/.test(text)) note(`console ${text}`);
    };
  }
  return { notes, note };
}
