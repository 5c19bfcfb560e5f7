import { dist } from "../lib/dist.js";
import { start as startNative } from "./fingerpost-native.js";

const { Response } = await import(new URL("modules/http.native.js", dist).href);

/** The `Request` chain on our own listener, with the `Response` of the native module. */
export function start(port) {
  startNative(port, Response);
}
