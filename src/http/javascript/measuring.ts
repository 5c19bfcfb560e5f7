/** Names of instruments that are used outside of `trace()`. It sets unit and kind of each. */
export type Measured =
  | "fingerpost.after.active"
  | "fingerpost.idempotency.requests"
  | "fingerpost.refused_requests"
  | "fingerpost.sockets.active"
  | "fingerpost.sockets.messages"
  | "fingerpost.store.operation.duration"
  | "fingerpost.streams.active";

/** Takes a measurement: a change of a count, or a duration in seconds. */
export type Measure = (name: Measured, value: number, attributes?: Readonly<Record<string, string>>) => void;

/** Is set where somebody measures. */
export const measuring: { measure: Measure | null } = { measure: null };

/** Counts a stream as open. Returns what ends that, once. */
export function openedStream(): () => void {
  let change = -1;
  measuring.measure?.("fingerpost.streams.active", 1);
  return () => {
    if (change !== 0) measuring.measure?.("fingerpost.streams.active", change);
    change = 0;
  };
}
