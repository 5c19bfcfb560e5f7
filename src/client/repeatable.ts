/**
 * Whether a request may be sent again, though the first one may have had its effect. Its method is idempotent (RFC 9110
 * §9.2.2), or the server recognizes it by an `Idempotency-Key`.
 */
export function isRepeatable(method: string, headers: Iterable<readonly [string, unknown]> | object = {}): boolean {
  return (
    /^(?:GET|HEAD|OPTIONS|TRACE|PUT|DELETE|QUERY)$/.test(method) ||
    [...(Symbol.iterator in headers ? headers : Object.entries(headers))].some(
      ([name, value]: readonly [string, unknown]) => value !== undefined && /^idempotency-key$/i.test(name),
    )
  );
}
