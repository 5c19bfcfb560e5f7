import { limitedStore } from "../http/protocol/limited-store.ts";
import { questions, type WriteRules } from "./write-rules.ts";

const limited = new WeakMap<WriteRules, WriteRules>();

/** Limits how long the store of rules may take for each question. The same rules have one limit, and one outage. */
export function limitedRules(rules: WriteRules): WriteRules {
  let found = limited.get(rules);
  if (found === undefined) {
    const { store, storeTimeoutMs } = rules;
    const asked = limitedStore(store, questions, storeTimeoutMs, {
      // The request is 503 already: its repeat must not wait for the end of a lease that nobody has.
      begin: (begun, name) => "fence" in begun && store.release(name, begun.fence),
    });
    found = { ...rules, store: { ...asked, commit: store.commit?.bind(store) } };
    limited.set(rules, found);
  }
  return found;
}
