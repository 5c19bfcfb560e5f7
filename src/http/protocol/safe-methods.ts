// RFC 9110 §9.2.1, RFC 10008 §2: they change nothing.
export const safeMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "TRACE", "QUERY"]);
