import { patternListOf } from "../lib/pattern-list.js";

/** The runtime's own: Node has it from 24 on, Bun and Deno too. */
export const router = patternListOf(globalThis.URLPattern);
