import { createServer } from "node:http";
import { Application as Native, Resource } from "fingerpost/modules/http.native.js";
import { Application as Polyfill } from "fingerpost/modules/http.polyfill.js";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { ask, listening } from "../../../tests/support/sockets.ts";
import { listener } from "../node.ts";

class Broken extends Resource {
  override paths = ["/broken"];
  override GET(): Response {
    return new Response(new ReadableStream({ pull: (controller) => controller.error(new Error("broken")) }));
  }
}

const applications = {
  native: () => Native.builder().resources(Broken),
  polyfill: () => Polyfill.builder(),
};

async function answered(
  chain: keyof typeof applications,
  from: () => { message: string },
  { path = "/nowhere", host = "h" } = {},
): Promise<unknown[]> {
  const app = applications[chain]()
    .problems({ schema: z.object({ message: z.string() }), type: "application/json", from })
    .build();
  const server = await listening(createServer(listener(app, { onError: () => {} })));
  const { status, headers, text } = await ask(server, { path, headers: { host } });
  return [status, headers["content-type"], JSON.parse(text)];
}

describe.each(["native", "polyfill"] as const)("problems() of the %s chain", (chain) => {
  it("C2.7 shapes errors as the application says", async () => {
    expect(await answered(chain, () => ({ message: "gone" }))).toEqual([404, "application/json", { message: "gone" }]);
  });

  it("C2.7 shapes the refusal of a Host that is none", async () => {
    const shaped = await answered(chain, () => ({ message: "no host" }), { host: "a b" });
    expect(shaped).toEqual([400, "application/json", { message: "no host" }]);
  });

  it("C2.7 answers with problem details where that shape fails", async () => {
    const print = vi.spyOn(console, "error").mockImplementation(() => {});
    const failed = await answered(chain, () => {
      throw new Error("no shape");
    });
    expect(failed).toEqual([404, "application/problem+json", { title: "Not Found", status: 404 }]);
    expect(print).toHaveBeenCalledWith(new Error("no shape"));
    print.mockRestore();
  });
});

it("C2.7 shapes an error of content that fails before any of it is sent", async () => {
  const shaped = await answered("native", () => ({ message: "broken" }), { path: "/broken" });
  expect(shaped).toEqual([500, "application/json", { message: "broken" }]);
});
