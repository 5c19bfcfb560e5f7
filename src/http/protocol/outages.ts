export type Print = (text: string, count: number) => void;

/** Reports that a store fails. */
export interface Outage {
  isTold(print: Print): boolean;
  lineOf(error: Error): string | null;
}

/** By what a question to a store was rejected with. Apart from what fills it: few applications ask a store. */
export const outages: WeakMap<object, Outage> = new WeakMap();
