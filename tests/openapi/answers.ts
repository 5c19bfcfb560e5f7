import { Ajv2020 } from "ajv/dist/2020.js";
import type { OpenAPIDocument } from "fingerpost/openapi";
import { expect } from "vitest";
import type { Attack } from "./attack.ts";

/**
 * Makes a check of responses by a document: no status from 500 on, none that it does not declare, and no content that its schema
 * refuses. The check reads the response, and returns what was answered, such as `get /books 200`.
 */
export function checkOf(described: OpenAPIDocument): (attack: Attack, response: Response) => Promise<string> {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: "doc", ...described });
  return async ({ path, key, operation, told }, response) => {
    const { status } = response;
    const seen = `${key} ${path} ${status}`;
    const type = (response.headers.get("content-type") ?? "").split(";")[0]!;
    // A stream of events does not end by itself.
    const isStream = type === "text/event-stream";
    if (isStream) await response.body?.cancel();
    const text = isStream ? "" : await response.text();
    expect(status, told).toBeLessThan(500);
    if ("default" in operation.responses) return seen;
    const answer = operation.responses[status];
    expect(answer, `${status} of ${told}: ${text}`).toBeDefined();
    if (text === "" && !isStream) return seen;
    expect(Object.keys(answer!.content ?? {}), told).toContain(type);
    if (!type.endsWith("json")) return seen;
    const pointer = ["paths", path, key, "responses", status, "content", type, "schema"]
      .map((token) => encodeURIComponent(String(token).replaceAll("~", "~0").replaceAll("/", "~1")))
      .join("/");
    const validate = ajv.getSchema(`doc#/${pointer}`)!;
    const fits = validate(JSON.parse(text));
    expect(fits, `${told}: ${text} ${JSON.stringify(validate.errors)}`).toBe(true);
    return seen;
  };
}
