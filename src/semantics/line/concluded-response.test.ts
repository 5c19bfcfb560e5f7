import { describe, expect, it } from "vitest";
import { Application } from "../semantics-application.ts";
import { bytes, text } from "../declaration/raw-content.ts";
import { reply } from "../declaration/reply.ts";
import { Resource } from "../semantics-resource.ts";

const lastModified = new Date("2026-01-02T03:04:05Z");

class Picture extends Resource {
  override paths = ["/:of"];
  static GET = { etag: "content", 200: bytes("image/png"), 203: text(), 404: { content: text() } } as const;
  override GET({ request }: { readonly request: Request }): never {
    const of = new URL(request.url).pathname;
    const content = new Uint8Array([1, 2, 3]);
    if (of === "/blob") return new Blob([content]) as never;
    return (of === "/bytes" ? content : reply(of === "/203" ? 203 : 404, "text" as never)) as never;
  }
  static POST = { 200: bytes("image/png") } as const;
  override POST(): never {
    return new Uint8Array([1, 2, 3]) as never;
  }
  validator(): object {
    return { lastModified };
  }
}

class Other extends Resource {
  override paths = ["/other"];
  static GET = { 203: { content: bytes("image/png") } };
  override GET(): never {
    return reply(203, new Uint8Array([1])) as never;
  }
}

const app = Application.builder().resources(Picture, Other).build();

async function got(path: string, headers: HeadersInit = {}): Promise<[status: number, hasTag: boolean, size: number]> {
  const response = await app.request(path, { headers });
  return [response.status, response.headers.has("etag"), (await response.arrayBuffer()).byteLength];
}

describe("concludedResponse()", () => {
  it("computes a tag of whole content of 200, and of nothing else", async () => {
    expect(await got("/bytes")).toEqual([200, true, 3]);
    expect(await got("/blob")).toEqual([200, false, 3]);
    expect(await got("/203")).toEqual([203, false, 4]);
    expect(await got("/404")).toEqual([404, false, 4]);
  });

  it("knows the date of the resource beside the tag of its content", async () => {
    const since = { range: "bytes=1-", "if-range": lastModified.toUTCString() };
    expect(await got("/bytes", since)).toEqual([206, true, 2]);
    expect(await got("/bytes", { ...since, "if-range": new Date(0).toUTCString() })).toEqual([200, true, 3]);
  });

  it("offers ranges of 200 to GET, and of nothing else", async () => {
    const offer = async (path: string, method = "GET"): Promise<unknown[]> => {
      const { status, headers } = await app.request(path, { method });
      return [status, headers.get("accept-ranges")];
    };
    expect(await offer("/bytes")).toEqual([200, "bytes"]);
    expect(await offer("/bytes", "POST")).toEqual([200, null]);
    expect(await offer("/other")).toEqual([203, null]);
  });
});
