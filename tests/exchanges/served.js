// The applications that are asked over sockets, each with what stands around it.
import { aroundsOf } from "./around.js";
import { nativeApplication } from "./applications/native.js";
import { semanticsApplication } from "./applications/semantics.js";

/** What stands around them there. */
export const around = [
  ...["none", "basic, refused", "bodyLimit, streaming", "compress", "conditional", "cookies", "cors", "log", "timeout"],
  ...["Awaits", "Changes", "Mutates", "Errors", "Owns", "Catches", "Reads", "Wrong", "extends cors, awaits"],
  ...["extends cors, changes", "a stack", "onError, with a response", "problems", "replies, checked"],
];

/** Applications of the modules that answer by `fetch`: by module, and by what stands around. */
export function fetchApplications(modules, note, source) {
  const rows = aroundsOf(modules, note);
  const of = (build) => Object.fromEntries(around.map((name) => [name, build(modules, rows[name], note, source)]));
  return { rows, semantics: of(semanticsApplication), native: of(nativeApplication) };
}
