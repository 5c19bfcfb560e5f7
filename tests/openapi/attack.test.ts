import fc from "fast-check";
import { document, type OpenAPIDocument } from "fingerpost/openapi";
import { describe, expect, it } from "vitest";
import { holds, runs, timeout } from "../properties/runs.ts";
import { checkOf } from "./answers.ts";
import { attacks } from "./attack.ts";
import { app } from "./library.ts";

describe("an application under attack by its document", () => {
  const described = JSON.parse(
    JSON.stringify(document(app, { title: "Library", version: "1.0.0" })),
  ) as OpenAPIDocument;
  const check = checkOf(described);
  const seen = new Set<string>();

  it(
    "C10.1 answers what the document says: no 5xx, no undeclared status, no content that its schema refuses",
    async () => {
      await holds(
        fc.asyncProperty(attacks(described), async (attack) => {
          seen.add(await check(attack, await app.fetch(attack.request)));
        }),
      );
      // That the attack gets everywhere.
      if (runs < 2000) return;
      const codes = new Set([...seen].map((one) => one.slice(-3)));
      const expected = "200 201 204 304 400 404 406 412 415 422".split(" ");
      const rare = "206 401 403 409 413 416 428".split(" ");
      expect([...codes]).toEqual(expect.arrayContaining(runs < 10_000 ? expected : [...expected, ...rare]));
      const operations = Object.entries(described.paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((key) => `${key} ${path} 2`),
      );
      const missed = operations.filter((one) => [...seen].every((answered) => !answered.startsWith(one)));
      expect(missed).toEqual([]);
    },
    timeout,
  );
});
