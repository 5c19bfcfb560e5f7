import { createServer } from "node:http";
import {
  Application as Native,
  HTTPError,
  Middleware,
  Resource,
  Status,
  type MiddlewareClass,
} from "fingerpost/modules/http.native.js";
import { Application as Polyfill } from "fingerpost/modules/http.polyfill.js";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { startedHttp2 } from "../../../tests/support/http2.ts";
import { ask, listening, started } from "../../../tests/support/sockets.ts";
import { cors } from "../../middleware/cors.ts";
import { requestId } from "../../middleware/request-id.ts";
import { secureHeaders } from "../../middleware/secure-headers.ts";
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

describe("errors that arise while a response is sent", () => {
  class Visits extends Middleware {
    override ALL(request: Request): Response | Promise<Response> {
      this.errorHeaders(request).append("set-cookie", "visit=1");
      return this.next(request);
    }
  }
  const around: MiddlewareClass[] = [
    cors({ origins: ["https://o.example"], credentials: true }),
    requestId({ generate: () => "id-1" }),
    secureHeaders(),
    Visits,
  ];

  const failing = (error: unknown): Response =>
    new Response(new ReadableStream({ pull: (controller) => controller.error(error) }));
  const informational = { status: 103, headers: new Headers(), body: null, arrayBuffer: () => null };
  const answers: Record<string, () => Response> = {
    "content that fails at once": () => failing(new Error("broken")),
    "content that fails by an HTTPError": () => failing(new HTTPError(Status.NotFound, "gone")),
    "a length that is not the content's": () => new Response("text", { headers: { "content-length": "9" } }),
    "a field that Node refuses": () => new Response(null, { headers: { "x-bell": "\x07" } }),
    "an informational status": () => informational as unknown as Response,
  };

  function appOf(answer: () => Response, ...inner: MiddlewareClass[]) {
    class Item extends Resource {
      override paths = ["/"];
      override GET(): Response {
        return answer();
      }
    }
    return Native.builder()
      .middleware(...around, ...inner)
      .resources(Item)
      .onError(() => {})
      .build();
  }

  const origin = "https://o.example";
  const expected = {
    "content-type": "application/problem+json",
    "access-control-allow-origin": origin,
    "access-control-allow-credentials": "true",
    vary: expect.stringMatching(/^origin$/i),
    "x-request-id": "id-1",
    "x-content-type-options": "nosniff",
    "set-cookie": ["visit=1"],
  };

  it.each(Object.keys(answers))("C5.7 have the fields of middleware: %s", async (name) => {
    const onError = vi.fn<(error: unknown) => void>();
    const answer = answers[name]!;
    const first = await ask(await started(appOf(answer), { onError }), { headers: { origin } });
    const second = await (await startedHttp2(appOf(answer), { onError }))({ origin });
    const status = name === "content that fails by an HTTPError" ? 404 : 500;
    expect(first).toMatchObject({ status, headers: expected });
    expect(second.headers).toMatchObject({ ":status": status, ...expected });
    expect(onError).toHaveBeenCalledTimes(2);
    const error: unknown = onError.mock.calls[0]![0];
    const thrown = await ask(await started(appOf(() => raised(error))), { headers: { origin } });
    expect({ ...first.headers, date: "" }).toEqual({ ...thrown.headers, date: "" });
  });

  it("C5.7 have the other fields where Node refuses one of them", async () => {
    const print = vi.spyOn(console, "error").mockImplementation(() => {});
    class Bell extends Middleware {
      override ALL(request: Request): Response | Promise<Response> {
        this.errorHeaders(request).set("x-bell", "\x07");
        return this.next(request);
      }
    }
    const server = await started(appOf(answers["content that fails by an HTTPError"]!, Bell), { onError: () => {} });
    const { status, headers } = await ask(server, { headers: { origin } });
    expect(status).toBe(404);
    expect(headers).toMatchObject(expected);
    expect(headers).not.toHaveProperty("x-bell");
    expect(print).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: "ERR_INVALID_CHAR" }));
    print.mockRestore();
  });

  it("C6.3 are answered where an application of another package has a dispatcher of its own", async () => {
    const app = { fetch: () => Promise.resolve(failing(new Error("broken"))), dispatcher: {} };
    const { status, headers } = await ask(await started(app, { onError: () => {} }));
    expect([status, headers["content-type"]]).toEqual([500, "application/problem+json"]);
  });
});

function raised(error: unknown): never {
  throw error;
}
