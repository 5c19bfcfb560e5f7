/** One thing that a store must do. */
export interface StoreCase<Store> {
  /** The name of a test: says what the store must do. */
  readonly name: string;
  /**
   * Asks a store, by keys that nothing else has: cases may run at once, on one store.
   *
   * @throws {Error} when the store does something else.
   */
  run(store: Store): Promise<void>;
}

export const minuteMs = 60_000;
export const dayMs = 86_400_000;

/** @throws {Error} unless two values are written alike. */
export function same(what: string, got: unknown, expected: unknown): void {
  const [one, other] = [textOf(got), textOf(expected)];
  if (one === other) return;
  throw new Error(`Cannot use the store: expected ${shortened(other)} of ${what}, got ${shortened(one)}`);
}

/** @throws {Error} unless a condition holds. */
export function holds(what: string, got: unknown, expected: string, condition: boolean): void {
  if (condition) return;
  throw new Error(`Cannot use the store: expected ${expected} of ${what}, got ${shortened(textOf(got))}`);
}

/** Lets time pass on the store's own clock, which nobody else can set. */
export async function passed(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}

/** Text of which a store must change nothing. */
export const hardText: string = JSON.stringify({ text: "\u0000 ' \" \\ é 𝄞 %s $1 ? {}", long: "x".repeat(100_000) });

export function newKey(): string {
  return crypto.randomUUID();
}

function textOf(value: unknown): string {
  return value === undefined ? "undefined" : JSON.stringify(value);
}

function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
