// By what the measure of costs is tried itself.

/** Their cost grows as the text does. */
export const linearReaders: readonly ((text: string) => unknown)[] = [
  function once(text) {
    let count = 0;
    for (const _ of text) count++;
    return count;
  },
  function split(text) {
    return text.split("a").map((part) => part.trim());
  },
  function nothing(text) {
    return text.length;
  },
];

/** Their cost grows by the square, at least for a text of one letter. */
export const quadraticReaders: readonly ((text: string) => unknown)[] = [
  function blocks(text) {
    let count = 0;
    // One in a hundred, or it takes too long.
    for (let from = 0; from < text.length; from += 100) for (let at = from; at < text.length; at++) count++;
    return count;
  },
  function slices(text) {
    let rest = text;
    while (rest !== "") rest = rest.slice(1);
  },
  function searches(text) {
    for (let at = 0; at < text.length; at++) if (text.indexOf("#", at) !== -1) return true;
    return false;
  },
  function expressions(text) {
    const digits = /#/g;
    for (let at = 0; at < text.length; at++) {
      digits.lastIndex = at;
      digits.exec(text);
    }
  },
  function elements(text) {
    const seen: string[] = [];
    for (let at = 0; at < text.length; at += 10) if (!seen.includes("#")) seen.push(text[at]!);
    return seen;
  },
];
