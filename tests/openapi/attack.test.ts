import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { document, type OpenAPIDocument } from "fingerpost/openapi";
import { describe, expect, it } from "vitest";
import { holds, runs, timeout } from "../properties/runs.ts";
import { attacks } from "./attack.ts";
import { app } from "./library.ts";

describe("an application under attack by its document", () => {
  const described = JSON.parse(
    JSON.stringify(document(app, { title: "Library", version: "1.0.0" })),
  ) as OpenAPIDocument;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: "doc", ...described });
  const seen = new Set<string>();

  it(
    "C10.1 answers what the document says: no 5xx, no undeclared status, no content that its schema refuses",
    async () => {
      await holds(
        fc.asyncProperty(attacks(described), async ({ path, key, operation, request, told }) => {
          const response = await app.fetch(request);
          const { status } = response;
          const text = await response.text();
          expect(status, told).toBeLessThan(500);
          if ("default" in operation.responses) return;
          const answer = operation.responses[status];
          expect(answer, `${status} of ${told}: ${text}`).toBeDefined();
          seen.add(`${key} ${path} ${status}`);
          const type = (response.headers.get("content-type") ?? "").split(";")[0]!;
          if (text === "") return;
          expect(Object.keys(answer!.content ?? {}), told).toContain(type);
          if (!type.endsWith("json")) return;
          const pointer = ["paths", path, key, "responses", status, "content", type, "schema"]
            .map((token) => encodeURIComponent(String(token).replaceAll("~", "~0").replaceAll("/", "~1")))
            .join("/");
          const validate = ajv.getSchema(`doc#/${pointer}`)!;
          const fits = validate(JSON.parse(text));
          expect(fits, `${told}: ${text} ${JSON.stringify(validate.errors)}`).toBe(true);
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
      expect(missed).toEqual(["get /files/{path} 2"]);
    },
    timeout,
  );
});
