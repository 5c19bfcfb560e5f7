import { describe, expect, it, onTestFinished } from "vitest";
import { longestText } from "./bounds.ts";
import { PathIndexBuilder } from "./path-index-builder.ts";
import { PathMatch } from "./path-match.ts";
import { parsePathPattern, type PathPattern } from "./path-pattern.ts";
import { maxPathLength, parserLeavesDots } from "./target-path.ts";

/*
 * A path that is canonical where it stands is matched there, and what the URL parser wrote is not parsed again. The answer is the
 * same as by way of the parser, so that what can be seen of it is whether the parser was asked.
 */

const builder = new PathIndexBuilder<PathPattern>();
for (const pattern of [
  "/users",
  "/users/:id",
  "/users/:id/posts",
  "/a/:b/:c/:d",
  "/a/:b/:c/:d/:e/:f",
  "/files/*",
  "/versions/:version/:path*",
  "/numbers/:n(\\d+)",
  "/numbers/:word([a-z]+)",
  "/(.+\\.txt)",
]) {
  const parsed = parsePathPattern(pattern);
  builder.add(parsed, parsed);
}
const index = builder.build();

/** What is found, and how often the URL parser was asked meanwhile. */
function answerTo(target: string, isSerialized: boolean): { readonly answer: string; readonly parsed: number } {
  let parsed = 0;
  const { URL } = globalThis;
  onTestFinished(() => void (globalThis.URL = URL));
  globalThis.URL = class extends URL {
    constructor(...args: ConstructorParameters<typeof URL>) {
      super(...args);
      parsed++;
    }
  };
  const match = index.match(target, isSerialized);
  globalThis.URL = URL;
  if (!(match instanceof PathMatch)) return { answer: match.problem, parsed };
  const values = match.value.names.map((name) => match.param(name)).filter((value) => value !== undefined);
  return { answer: [match.source, ...values].join(" "), parsed };
}

const x = (length: number): string => "x".repeat(length);
const inPlace: [target: string, answer: string][] = [
  ["http://h/users", "/users"],
  ["https://h:8080/users", "/users"],
  ["http://h/users?q=%61#f", "/users"],
  ["http://h/users/", "/users"],
  ["http://h/users/7", "/users/:id 7"],
  ["http://h/users/7?q=1", "/users/:id 7"],
  ["http://h/users/7?q=%61", "/users/:id 7"],
  ["http://h/users/7?%61", "/users/:id 7"],
  ["http://h/users/7?q=/posts", "/users/:id 7"],
  ["http://h/users/7?q=/.", "/users/:id 7"],
  ["http://h/users/7?q=.", "/users/:id 7"],
  ["http://h/users/7./posts", "/users/:id/posts 7."],
  ["http://h/a/1/2/3?q=/..", "/a/:b/:c/:d 1 2 3"],
  ["http://h/a/1/2/3/4/5", "/a/:b/:c/:d/:e/:f 1 2 3 4 5"],
  ["http://h/files/a/b.c", "/files/* a/b.c"],
  ["http://h/files", "/files/*"],
  ["http://h/versions/1?q=/.", "/versions/:version/:path* 1"],
  ["http://h/numbers/7?q=/.", "/numbers/:n(\\d+) 7"],
  ["http://h/numbers/seven", "/numbers/:word([a-z]+) seven"],
  ["http://h/b.txt", "/(.+\\.txt) b.txt"],
  ["http://h/users/.x", "/users/:id .x"],
  ["http://h/a/.1/2/..3", "/a/:b/:c/:d .1 2 ..3"],
  ["http://h/files/.well-known/x?q=/../", "/files/* .well-known/x"],
  ["http://h/.env", "unmatched"],
  ["http://h/nothing", "unmatched"],
  ["http://h/no.thing", "unmatched"],
  ["http://h/nothing?q=.", "unmatched"],
  ["http://h/nothing?q=/x", "unmatched"],
  [`http://h/files/${x(maxPathLength - 7)}`, `/files/* ${x(maxPathLength - 7)}`],
  [`http://${x(60)}.example.com/users/${x(maxPathLength - 7)}`, `/users/:id ${x(maxPathLength - 7)}`],
  [`http://${x(longestText - 17)}/users/abc`, "/users/:id abc"],
];

// A serialized URL of Node 20 and 22 may hold such: behind a segment that begins with a dot their parser resolves none.
const withDots: [target: string, answer: string][] = [
  ["http://h/users/.x/../7", "/users/:id 7"],
  ["http://h/users/.x/../7/posts", "/users/:id/posts 7"],
  ["http://h/a/.1/../2/3/4", "/a/:b/:c/:d 2 3 4"],
  ["http://h/files/.x/../y", "/files/* y"],
  ["http://h/files/a/.b/../c", "/files/* a/c"],
  ["http://h/versions/1/a/.b/../c", "/versions/:version/:path* 1 a/c"],
  ["http://h/a/.b/../c.txt", "/(.+\\.txt) a/c.txt"],
  ["http://h/a/.b/../see.txt", "/(.+\\.txt) a/see.txt"],
  ["http://h/of/a/.b/../sight.txt", "/(.+\\.txt) of/a/sight.txt"],
  ["http://h/.x/../users", "/users"],
  ["http://h/.x/../nothing", "unmatched"],
  ["http://h/users/.x/..", "/users"],
  ["http://h/users/.x/.", "/users/:id .x"],
];

const rewritten: [target: string, answer: string][] = [
  ["http://h/users/7#f", "/users/:id 7"],
  ["http://h/users/7#f?q", "/users/:id 7"],
  ["http://h/users/%37", "/users/:id 7"],
  ["http://h/users/%37/posts?q=1#f", "/users/:id/posts 7"],
  ["http://h/users/%C3%A9?q=%37", "/users/:id é"],
  ["http://h/%75sers/7?q=1", "/users/:id 7"],
  ["http://h/nothing#f", "unmatched"],
  ["http://h/nothing%41", "unmatched"],
  [`http://h/users/${x(maxPathLength - 6)}`, "too long"],
  [`http://h/users/${x(maxPathLength - 9)}%41`, `/users/:id ${x(maxPathLength - 9)}A`],
];

describe("PathIndex.match() of a serialized URL", () => {
  it.each([...inPlace, ...rewritten])("C4.2 does not ask the URL parser again: %s", (target, answer) => {
    expect(answerTo(target, true)).toEqual({ answer, parsed: 0 });
  });

  it("C4.2 matches a text of its own where the bounds of values would not fit", () => {
    const target = `http://${x(longestText - 16)}/users/abc`;
    expect(answerTo(target, true)).toEqual({ answer: "/users/:id abc", parsed: 0 });
  });

  it.runIf(parserLeavesDots).each(withDots)(
    "C4.2 resolves the dot segments that the parser left: %s",
    (target, answer) => {
      expect(answerTo(target, true)).toEqual({ answer, parsed: 0 });
    },
  );
});

describe("PathIndex.match() of a raw target", () => {
  const isPlain = ([target]: [string, string]): boolean =>
    !target.includes("#") || target.indexOf("?") < target.indexOf("#");

  it.each(inPlace.filter(isPlain))("C4.2 matches where it stands: %s", (target, answer) => {
    expect(answerTo(target, false)).toEqual({ answer, parsed: 0 });
    const { pathname, search, hash } = new URL(target);
    expect(answerTo(pathname + search + hash, false)).toEqual({ answer, parsed: 0 });
  });

  it.each([...rewritten, ...withDots])("C4.2 asks the URL parser: %s", (target, answer) => {
    expect(answerTo(target, false)).toEqual({ answer, parsed: 1 });
    expect(answerTo(target.slice("http://h".length), false)).toEqual({ answer, parsed: 1 });
  });
});

describe("PathIndex.find() where what may be taken leads nowhere", () => {
  const answers = (patterns: readonly string[], paths: Readonly<Record<string, string | null>>): void => {
    const own = new PathIndexBuilder<string>();
    for (const pattern of patterns) own.add(parsePathPattern(pattern), pattern);
    const built = own.build();
    for (const [path, value] of Object.entries(paths)) expect(built.find(path)?.value ?? null, path).toBe(value);
  };

  it("C4.5 goes on with a shorter prefix where an expression in place of a rest fails", () => {
    answers(["/a/(.*)/b", "/:x/c"], { "/a/c": "/:x/c", "/a/x/b": "/a/(.*)/b" });
    answers(["/a/(.*)/b", "/a/(.+)/c", "/:x/:y"], { "/a/d": "/:x/:y", "/a/x/c": "/a/(.+)/c" });
  });

  it("C4.3 lets $ hold where the path ends, not where a segment does", () => {
    answers(["/t/:a(\\d+$)/x", "/t/:b(\\d+$)", "/t/:c([a-z]+$)/y"], {
      "/t/1": "/t/:b(\\d+$)",
      "/t/1/x": null,
      "/t/a/y": null,
      "/t/1/": "/t/:b(\\d+$)",
    });
  });

  it("C4.3 takes no empty segment", () => {
    answers(["/e/:a(\\d*)/x", "/e/:b([a-z]*)/x"], { "/e//x": null, "/e/1/x": "/e/:a(\\d*)/x" });
    answers(["/e/:a(\\d*)", "/e/:b([a-z]*)"], { "/e/": null, "/e": null });
  });
});
