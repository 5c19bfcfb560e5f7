/** Thrown by a test that needs something that its runtime does not have. */
export class NotHere extends Error {
  constructor(what: string) {
    super(`needs ${what}`);
  }
}
