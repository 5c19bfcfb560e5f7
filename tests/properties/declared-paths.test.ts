// What an application says of its paths and methods, and what it answers there.
import fc from "fast-check";
import { Application, Resource, ResourceGroup } from "fingerpost";
import { document } from "fingerpost/openapi";
import { expect, it } from "vitest";
import { clientTypes } from "../../src/openapi/client-types.ts";
import { methodsAtPatterns } from "../openapi/declared-paths.ts";
import { holds, timeout } from "./runs.ts";

const methods = ["DELETE", "GET", "PATCH", "PUT", "QUERY"] as const;

// Expressions and rests are left out: OpenAPI has one path for what the application distinguishes.
const words = fc.constantFrom("a", "b", ":p", ":q", "c-:r");
const ends = fc.constantFrom("", "", "/", "/:o?");
const paths = fc
  .tuple(fc.uniqueArray(words, { maxLength: 2 }), ends)
  .map(([segments, end]) => segments.map((segment) => `/${segment}`).join("") + end || "/");
const prefixes = fc.uniqueArray(fc.constantFrom("/", "/a", "/:x", "/a/:y", "/b"), { minLength: 1, maxLength: 3 });
const classes = fc.record({
  paths: fc.uniqueArray(paths, { minLength: 1, maxLength: 4 }),
  /** Each with the places in `paths` that its `at` names; none for an operation without `at`. */
  declared: fc.dictionary(fc.constantFrom(...methods), fc.array(fc.nat(), { maxLength: 3 }), { minKeys: 1 }),
  groups: fc.array(prefixes, { maxLength: 2 }),
  trailingSlash: fc.constantFrom("strict" as const, "ignore" as const),
});

/** Null if a pattern cannot be, as one with a param twice. */
function applicationOf({
  paths: own,
  declared,
  groups,
  trailingSlash,
}: typeof classes extends fc.Arbitrary<infer Of> ? Of : never): Application | null {
  class Some extends Resource {
    override paths = own;
  }
  for (const [method, places] of Object.entries(declared)) {
    const at = places.map((place) => own[place % own.length]!);
    Object.defineProperty(Some.prototype, method, { value: () => undefined });
    Object.defineProperty(Some, method, { value: { 204: "Done", ...(at.length === 0 ? {} : { at }) } });
  }
  const grouped = groups.reduce<typeof Some | ResourceGroup>(
    (inner, around) =>
      ResourceGroup.builder()
        .resources(inner as typeof Some)
        .prefix(...around)
        .build(),
    Some,
  );
  try {
    return Application.builder()
      .trailingSlash(trailingSlash)
      .resources(grouped as typeof Some)
      .build();
  } catch {
    return null;
  }
}

/** The paths of a pattern, with a text that no static segment is, from the longest to the shortest. */
function pathsOf(pattern: string): string[] {
  const whole = pattern.replaceAll(/:\w+\??/g, "z");
  return pattern.endsWith("?") ? [whole, whole.slice(0, -2) || "/"] : [whole];
}

async function answeredAt(app: Application, path: string): Promise<string[]> {
  const answers = methods.map((method) => app.fetch(new Request(`http://localhost${path}`, { method })));
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  for (const status of statuses) expect([204, 405]).toContain(status);
  return methods.filter((_, at) => statuses[at] === 204);
}

it("document and client types have a method where the line answers it, and nowhere else", { timeout }, async () => {
  await holds(
    fc.asyncProperty(classes, async (generated) => {
      const app = applicationOf(generated);
      const operations = app && describedIn(app);
      fc.pre(app !== null && operations !== null);
      const isStrict = generated.trailingSlash === "strict";
      const keyOf = (path: string): string => (isStrict ? path : path.replace(/(?<=.)\/$/, ""));
      const described = new Map(
        Object.entries(operations!).map(([path, own]) => [
          keyOf(path.replaceAll(/\{\w+\}/g, "z")),
          Object.keys(own as object).map((method) => method.toUpperCase()),
        ]),
      );
      const printed = methodsAtPatterns(clientTypes(app!.dispatcher));
      const left = new Set(described.keys());
      for (const { source } of app!.resources[0]!.patterns) {
        const shown = printed[source] ?? [];
        const atAny = new Set<string>();
        for (const path of pathsOf(source)) {
          left.delete(keyOf(path));
          const answered = await answeredAt(app!, path);
          for (const method of answered) atAny.add(method);
          expect(new Set(described.get(keyOf(path))), path).toEqual(new Set(answered));
          const isMatched = app!.match({ url: path, method: "GET" }).pattern?.source === source;
          if (isMatched) expect(shown).toEqual(expect.arrayContaining(answered));
        }
        expect([...atAny]).toEqual(expect.arrayContaining(shown));
      }
      expect([...left]).toEqual([]);
    }),
    500,
  );
});

/** Null where two operations have one name, which a document refuses. */
function describedIn(app: Application): object | null {
  try {
    return document(app, { title: "Paths", version: "1", openapiVersion: "3.2" }).paths;
  } catch {
    return null;
  }
}
