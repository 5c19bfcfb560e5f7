import type { Decision } from "./decision.ts";
import { decisionsByContent } from "./decisions-content.ts";
import { decisionsByMethod } from "./decisions-method.ts";
import { decisionsByRequest } from "./decisions-request.ts";
import { decisionsByState } from "./decisions-state.ts";

/** The decision table of the semantics chain: method × declaration × request → status and fields (C9.7). */
export const decisions: readonly Decision[] = [
  ...decisionsByMethod,
  ...decisionsByRequest,
  ...decisionsByContent,
  ...decisionsByState,
];
