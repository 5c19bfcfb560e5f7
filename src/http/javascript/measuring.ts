/** Names of instruments, without those that `trace()` uses itself. It sets unit and kind of each. */
export type Measured = "fingerpost.refused_requests";

/** Takes a measurement: a change of a count. */
export type Measure = (name: Measured, value: number, attributes: Readonly<Record<string, string>>) => void;

/** Is set where somebody measures. */
export const measuring: { measure: Measure | null } = { measure: null };
