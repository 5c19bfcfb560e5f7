import { FastResponse } from "srvx";
import { start as startNative } from "./fingerpost-native.js";

/** The `Request` chain on our own listener, with the light `Response` of srvx. */
export function start(port) {
  startNative(port, FastResponse);
}
