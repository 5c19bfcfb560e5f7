// Fields that a handler and middleware add to each kind of answer: what a client must get, on each server.

type Lines = [name: string, value: string][];

/** Two cookies, a field of its own and a name for `Vary`, by who adds them. */
export const own = (by: string): Lines => [
  ["set-cookie", `a-${by}=1`],
  ["set-cookie", `b-${by}=2`],
  [`x-${by}`, by],
  ["vary", `x-${by}`],
];
const fields = (more: Lines = []): Headers => new Headers([...own("handler"), ...more]);

/** What a handler answers, by its kind: the status, and how its content is sent. */
export const kinds: Readonly<Record<string, (Class: typeof Response) => Response>> = {
  "200": (Class) => new Class("x", { headers: fields() }),
  "204": (Class) => new Class(null, { status: 204, headers: fields() }),
  "206": (Class) => new Class("x", { status: 206, headers: fields([["content-range", "bytes 0-0/2"]]) }),
  "304": (Class) => new Class(null, { status: 304, headers: fields() }),
  "200 stream": (Class) => new Class(new Blob(["x"]).stream(), { headers: fields() }),
  "500 status": (Class) => new Class("x", { status: 500, headers: fields() }),
};

/** An error that a handler throws with fields passes middleware by that does not catch it. */
export const error = "404 error";
export const errorHeaders: () => Headers = fields;

/** The own fields among all that arrived, in their order. */
export function ownAmong(lines: Iterable<readonly [name: string, value: string]>): unknown {
  const found = [...lines].map(([name, value]) => [name.toLowerCase(), value] as const);
  const all = (wanted: string): string[] => found.flatMap(([name, value]) => (name === wanted ? [value] : []));
  const vary = all("vary")
    .join()
    .split(/, */)
    .filter((name) => name.startsWith("x-"));
  return { cookies: all("set-cookie"), vary, both: [...all("x-handler"), ...all("x-middleware")] };
}

/** What arrives of a kind. */
export const expectedOf = (kind: string): unknown =>
  expectedBy(kind === error ? ["handler"] : ["handler", "middleware"]);

/** What arrives of all who add fields. */
export function expectedBy(adding: readonly string[]): unknown {
  return {
    cookies: adding.flatMap((by) => [`a-${by}=1`, `b-${by}=2`]),
    vary: adding.map((by) => `x-${by}`),
    both: adding,
  };
}
