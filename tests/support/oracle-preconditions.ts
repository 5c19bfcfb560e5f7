/** An entity tag: what stands between its quotes, and whether it is weak. */
export interface Tag {
  readonly opaque: string;
  readonly isWeak: boolean;
}

/** A request as RFC 9110 §13.1 sees it. A date is in seconds, and NaN where what was sent is no date. */
export interface ConditionalRequest {
  /** GET, HEAD and QUERY select a representation to read it; others change one. */
  readonly isRead: boolean;
  readonly ifMatch: "*" | Tag | null;
  readonly ifNoneMatch: "*" | Tag | null;
  readonly ifUnmodifiedSince: number | null;
  readonly ifModifiedSince: number | null;
  /** `If-Range` of a GET with `Range`; `undefined` where there is no such `Range`, null where it comes alone. */
  readonly ifRange?: Tag | number | null | undefined;
}

/** A representation: its tag and the second of its last change, each if there is one; null where there is none. */
export type Represented = { readonly etag: Tag | null; readonly modified: number | null } | null;

/** What preconditions lead to: the steps of RFC 9110 §13.2.2, one after the other, as they are written there. */
export function conditionalStatus(request: ConditionalRequest, now: Represented): 200 | 206 | 304 | 412 {
  const { isRead, ifMatch, ifNoneMatch, ifUnmodifiedSince, ifModifiedSince, ifRange } = request;
  const isLaterThan = (date: number): boolean => now!.modified! > date;
  const canCompare = (date: number | null): date is number =>
    date !== null && !Number.isNaN(date) && now !== null && now.modified !== null;
  // 1. If-Match: strong comparison (§13.1.1).
  if (ifMatch !== null) {
    const isTrue = ifMatch === "*" ? now !== null : isSame(ifMatch, now?.etag ?? null, "strong");
    if (!isTrue) return 412;
  }
  // 2. If-Unmodified-Since, without If-Match; ignored where it is no date, or none is known (§13.1.4).
  if (ifMatch === null && canCompare(ifUnmodifiedSince) && isLaterThan(ifUnmodifiedSince)) return 412;
  // 3. If-None-Match: weak comparison (§13.1.2).
  if (ifNoneMatch !== null) {
    const isTrue = ifNoneMatch === "*" ? now === null : !isSame(ifNoneMatch, now?.etag ?? null, "weak");
    if (!isTrue) return isRead ? 304 : 412;
  }
  // 4. If-Modified-Since of a read, without If-None-Match (§13.1.3).
  if (isRead && ifNoneMatch === null && canCompare(ifModifiedSince) && !isLaterThan(ifModifiedSince)) return 304;
  // 5. Range and If-Range of GET: strong comparison, and of dates equality (§13.1.5).
  if (ifRange === undefined) return 200;
  if (ifRange === null) return 206;
  if (typeof ifRange === "number") return canCompare(ifRange) && now!.modified === ifRange ? 206 : 200;
  // 6. Otherwise the method is performed.
  return isSame(ifRange, now?.etag ?? null, "strong") ? 206 : 200;
}

function isSame(sent: Tag, current: Tag | null, comparison: "strong" | "weak"): boolean {
  if (current === null || sent.opaque !== current.opaque) return false;
  return comparison === "weak" || (!sent.isWeak && !current.isWeak);
}
