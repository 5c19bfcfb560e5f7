import { describe, expect, it } from "vitest";
import { z } from "zod";
import { pairsOf } from "../../http/answer/field-list.ts";
import { heldValues, lightFurther, lightSelf } from "../../http/message/light-request.ts";
import { patch } from "../declared-patch.ts";
import { reply } from "../declaration/reply.ts";
import { Application } from "../semantics-application.ts";
import { Resource } from "../semantics-resource.ts";

/** An application of a note, whose GET answers as given. */
function applicationOf(answer: () => unknown, validators: object = { etag: '"1"' }) {
  const asked: Record<string, string[]> = {};
  const errors: string[] = [];
  const note = z.object({ text: z.string() });
  class Note extends Resource {
    override paths = ["/"];
    static GET = { 200: note, 400: "Wrong" };
    override GET({ request }: { request: Request }): unknown {
      asked["GET"] = [...request.headers.keys()];
      return answer();
    }
    static PUT = { content: note, 204: "Stored", 400: "Wrong" };
    override PUT({ request }: { request: Request }): undefined {
      asked["PUT"] = [...request.headers.keys()];
    }
    static PATCH = patch(this.GET, this.PUT);
    validator(): object {
      return validators;
    }
  }
  const app = Application.builder()
    .resources(Note as never)
    .onError((error) => void errors.push((error as Error).message))
    .build();
  const send = async (headers: Record<string, string> = {}): Promise<number> => {
    const more = { "content-type": "application/merge-patch+json", ...headers };
    return (await app.request("/", { method: "PATCH", headers: more, body: '{"text":"b"}' })).status;
  };
  return { app, asked, errors, send };
}

describe("patchHandler()", () => {
  it("hands on fields whose names only look like those of content, conditions and choice", async () => {
    const { asked, send } = applicationOf(() => ({ text: "a" }));
    const names = ["accept-language", "x-accept", "x-content-type", "x-range", "range-unit", "transfer-encoding-x"];
    expect(await send(Object.fromEntries(names.map((name) => [name, "en"])))).toBe(204);
    for (const method of ["GET", "PUT"]) expect(names.filter((name) => !asked[method]!.includes(name))).toEqual([]);
  });

  it("has a light request make those of GET and PUT", async () => {
    const { app, errors } = applicationOf(() => ({ text: "a" }));
    const made: unknown[] = [];
    class Light extends Request {
      [heldValues] = null;
      get [lightSelf](): object {
        return this;
      }
      [lightFurther](url: string, method: string, fields: readonly string[], body: string | null): Request {
        made.push([method, fields, body]);
        return new Request(url, { method, headers: pairsOf(fields), body });
      }
    }
    const headers = { "content-type": "application/merge-patch+json", accept: "*/*", "x-one": "1" };
    const light = new Light("http://a/", { method: "PATCH", headers, body: '{"text":"b"}' });
    expect([(await app.fetch(light)).status, errors]).toEqual([204, []]);
    expect(made).toEqual([
      ["GET", ["accept", "application/json", "x-one", "1"], null],
      ["PUT", ["content-type", "application/json", "if-match", '"1"', "accept", "*/*", "x-one", "1"], '{"text":"b"}'],
    ]);
  });

  it("answers what GET refuses, from 400 on", async () => {
    const { asked, errors, send } = applicationOf(() => reply(400));
    expect([await send(), errors, "PUT" in asked]).toEqual([400, [], false]);
  });

  it("does not take a tag that GET alone says", async () => {
    const validators = { lastModified: new Date(0) };
    const { errors, send } = applicationOf(() => reply(200, { text: "a" }, { etag: '"1"' }), validators);
    expect([await send(), errors]).toEqual([
      500,
      [
        expect.stringContaining(
          "has no strong etag for what GET sends, so that changes could be lost; return { etag: '\"7\"' }",
        ),
      ],
    ]);
  });
});
