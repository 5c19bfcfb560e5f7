/** The place of a request in a distributed trace, by `traceparent` (W3C Trace Context §3.2). */
export interface TraceParent {
  /** The field `trace-id`: 32 hex digits. */
  readonly traceId: string;
  /** The field `parent-id`, the span of the caller: 16 hex digits. */
  readonly parentId: string;
  /** The flags: bit 1 says that the caller may have recorded its span. */
  readonly flags: number;
}

/**
 * Reads the value of `traceparent` (W3C Trace Context §3.2); null when it is malformed, so that a new trace begins.
 * Versions that are not known yet are read as far as they are like the known one (§4.3).
 */
export function parseTraceparent(value: string): TraceParent | null {
  const match = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/.exec(value);
  if (match === null) return null;
  const [, version, traceId, parentId, flags, more] = match as unknown as [
    string,
    string,
    string,
    string,
    string,
    string?,
  ];
  if (version === "ff" || (version === "00" && more !== undefined)) return null;
  if (/^0+$/.test(traceId) || /^0+$/.test(parentId)) return null;
  // §3.2.2.5: what other flags mean is not known.
  return { traceId, parentId, flags: Number.parseInt(flags, 16) & 1 };
}
