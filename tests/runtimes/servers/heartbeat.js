/** Has idle connections asked every 600 ms in place of every 30 s. */
export function quickly() {
  const { setInterval } = globalThis;
  globalThis.setInterval = (act, ms, ...args) => setInterval(act, ms === 30_000 ? 600 : ms, ...args);
}
