/** The bytes that live objects take now, typed arrays included; NaN where the runtime does not let itself be asked. */
export function liveBytes() {
  if (typeof globalThis.Bun === "object") globalThis.Bun.gc(true);
  else if (typeof globalThis.gc === "function") for (let times = 0; times < 3; times++) globalThis.gc();
  else return NaN;
  const { heapUsed, external } = process.memoryUsage();
  // Bun counts what typed arrays hold as part of the heap; elsewhere it is outside.
  return typeof globalThis.Bun === "object" ? heapUsed : heapUsed + external;
}
