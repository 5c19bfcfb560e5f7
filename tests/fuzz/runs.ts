/** How many cases a property is tried with: FUZZ=100 has a hundred times as many as the tests, for a night. */
export function runs(usual: number): number {
  return Math.ceil(usual * Number(process.env["FUZZ"] ?? 1));
}
