import { describe, expect, it } from "vitest";
import type { MountedResource } from "../dispatch/mounted-resource.ts";
import { Status } from "../http/protocol/status.ts";
import { completeMethods, withoutContent } from "./completed-methods.ts";

describe("withoutContent()", () => {
  it("leaves what is no response, and a response without content", () => {
    const empty = new Response(null, { status: 204 });
    for (const result of [undefined, null, "text", { body: "text" }, empty])
      expect(withoutContent(result)).toBe(result);
  });

  it("makes a response without content of one that has some, and cancels that", async () => {
    let isCanceled = false;
    const body = new ReadableStream({ cancel: () => void (isCanceled = true) });
    const result = withoutContent(new Response(body, { status: 203, statusText: "Other", headers: { "x-own": "1" } }));
    expect(result).toBeInstanceOf(Response);
    const { status, statusText, headers, body: none } = result as Response;
    expect([status, statusText, headers.get("x-own"), none, isCanceled]).toEqual([203, "Other", "1", null, true]);
  });
});

describe("completeMethods()", () => {
  const answers = { HEAD: () => () => undefined, OPTIONS: () => undefined };
  const resourceOf = (): MountedResource =>
    ({
      name: "Note",
      methods: ["GET"],
      handlers: { GET: () => "text", POST: null, PATCH: null },
    }) as unknown as MountedResource;

  it("says of a method that it is allowed, refused, or not implemented", () => {
    const mounted = resourceOf();
    completeMethods(mounted, ["GET", "HEAD", "POST"], answers);
    const refusals = ["GET", "HEAD", "POST", "PATCH"].map((method) => mounted.refusalOf!(method, "/"));
    expect(refusals).toEqual([
      null,
      null,
      { status: Status.MethodNotAllowed, reason: "Note allows GET, HEAD" },
      expect.objectContaining({ status: Status.NotImplemented }),
    ]);
  });

  it("lets tools list the methods of the class, and another completion tell them again", () => {
    const mounted = resourceOf();
    completeMethods(mounted, ["HEAD"], answers);
    expect(Object.getOwnPropertyDescriptor(mounted, "methods")).toMatchObject({ value: ["GET"], configurable: true });
  });
});
