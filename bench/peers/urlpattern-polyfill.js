import { URLPattern } from "urlpattern-polyfill/urlpattern";
import { patternListOf } from "../lib/pattern-list.js";

export const router = patternListOf(URLPattern);
