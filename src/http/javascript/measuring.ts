/** Names of instruments that are used outside of `trace()`. It sets unit and kind of each. */
export type Measured =
  | "fingerpost.after.active"
  | "fingerpost.idempotency.requests"
  | "fingerpost.refused_requests"
  | "fingerpost.sockets.active"
  | "fingerpost.sockets.messages"
  | "fingerpost.store.operation.duration";

/** Takes a measurement: a change of a count, or a duration in seconds. */
export type Measure = (name: Measured, value: number, attributes?: Readonly<Record<string, string>>) => void;

/** Is set where somebody measures. */
export const measuring: { measure: Measure | null } = { measure: null };
