/** Returns whether a final response of a status never has content (RFC 9110 §6.4.1, and §15.3.6 for 205). */
export function isContentless(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}
