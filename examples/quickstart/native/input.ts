import type { Params } from "fingerpost/modules/http.native.js";

/** What the handlers of this door get. */
export type Input = Request & { readonly params: Params };
