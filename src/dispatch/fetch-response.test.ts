import { after } from "fingerpost/after";
import { Application, HTTPError, Middleware, Resource, ResourceGroup, Status } from "fingerpost/modules/http.native.js";
import { FastResponse } from "srvx";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Response as OwnResponse } from "../http/message/response.ts";
import { running } from "./runtime-host.ts";
import { lateWork } from "./late-work.ts";

class Html extends Response {}

// after() is there for the tests that ask for it: without it, an answer does not wait.
const { found } = lateWork;
lateWork.found = null;

function withLateWork(): void {
  lateWork.found = found;
  onTestFinished(() => void (lateWork.found = null));
}

const request = (path = "/"): Request => new Request(`http://localhost${path}`);

/** Returns the answer of an application with one handler that does this. */
function answer(GET: (request: Request) => unknown, onError?: (error: unknown) => Response | void) {
  class Answer extends Resource {
    override paths = ["/"];
    override GET(input: Request): Response {
      return GET(input) as Response;
    }
  }
  const builder = Application.builder().resources(Answer);
  if (onError !== undefined) builder.onError(onError);
  return builder.build().fetch(request());
}

function silenced() {
  const reported = vi.spyOn(console, "error").mockReturnValue();
  onTestFinished(() => reported.mockRestore());
  return reported;
}

const statusOf = async (response: Promise<Response>): Promise<number> => (await response).status;

describe("respond()", () => {
  it("is 500 where a response of ours was read before, as where one of the platform was", async () => {
    const reported = silenced();
    for (const response of [new OwnResponse("read"), new Response("read")]) {
      await response.text();
      expect(await statusOf(answer(() => response))).toBe(500);
    }
    expect(reported).toHaveBeenCalledTimes(2);
  });

  it("cuts a method that is quoted, where middleware answers for it", async () => {
    class Five extends Middleware {
      override ALL(): never {
        return 5 as never;
      }
    }
    const onError = vi.fn(() => new Response(null));
    const app = Application.builder().middleware(Five).onError(onError).build();
    await app.fetch({ url: "/", method: "X".repeat(100) } as Request);
    expect(onError).toHaveBeenCalledWith(
      new TypeError(`Cannot respond to ${"X".repeat(80)}: expected a new Response from Five, got 5`),
      expect.anything(),
    );
  });

  it("refuses without a Promise that rejects, where no middleware sees it", async () => {
    class Item extends Resource {
      override paths = ["/item"];
    }
    const app = Application.builder().resources(Item).build();
    silenced();
    const reject = vi.spyOn(Promise, "reject");
    onTestFinished(() => reject.mockRestore());
    for (const [path, status] of [
      ["/none", 404],
      ["/item", 501],
    ] as const) {
      expect((await app.fetch(request(path))).status, path).toBe(status);
      expect(reject.mock.calls, path).toEqual([]);
      await expect(app.handle(request(path)), path).rejects.toMatchObject({ status });
      expect(reject.mock.calls, path).toHaveLength(1);
      reject.mockClear();
    }
  });

  it("does not wait for a Response that is there", async () => {
    const given = vi.fn<(response: Response) => void>();
    void answer(() => new Response()).then(given);
    void answer(async () => new Response()).then(given);
    await Promise.resolve();
    expect(given).toHaveBeenCalledTimes(1);
    await vi.waitFor(() => expect(given).toHaveBeenCalledTimes(2));
  });

  it("returns what the handler returned, if it is a Response or does what one does", async () => {
    const response = new Response("fine");
    expect(await answer(() => response)).toBe(response);
    const other = light();
    expect(await answer(() => other)).toBe(other);
  });

  it("asks a Response of another class no more than that: it may be made whole by a question", async () => {
    class Light extends Response {
      override get status(): number {
        throw new Error("made whole");
      }
      override get bodyUsed(): boolean {
        throw new Error("made whole");
      }
    }
    const response = new Light();
    expect(await answer(() => response)).toBe(response);
  });

  it("does not make a light one of srvx whole, nor one of a class made of it", async () => {
    class Page extends FastResponse {}
    for (const response of [new FastResponse("fine"), new Page("fine")]) {
      expect(await answer(() => response)).toBe(response);
      const { body } = (response as unknown as { _toNodeResponse(): { body: unknown } })._toNodeResponse();
      expect(body).toBe("fine");
    }
  });

  it("returns one of a class of the user's, if it is new", async () => {
    const response = new Html("fine");
    expect(await answer(() => response)).toBe(response);
  });

  it.each([
    ["undefined", undefined],
    ["null", null],
    ["a string", "text"],
    ["a function", () => {}],
    ["an error", Object.assign(new Error("secret"), { status: 200, headers: {}, arrayBuffer() {} })],
    ["no status", { headers: {}, arrayBuffer() {} }],
    ["no headers", { status: 200, arrayBuffer() {} }],
    ["no content", { status: 200, headers: {} }],
    ["a Response that was read already", spent()],
    ["one of a class of the user's that was read already", spent(new Html("content"))],
    ["a network error", Response.error()],
  ])("makes 500 of %s", async (_name, value) => {
    const errors = vi.fn<(error: unknown) => void>();
    expect(await statusOf(answer(() => value, errors))).toBe(500);
    expect(String(errors.mock.calls[0]![0])).toMatch(
      /^TypeError: Cannot respond to GET: expected a new Response from Answer, got /,
    );
  });

  it("names the middleware where no resource is at fault", async () => {
    class Swallow extends Middleware {
      override ALL(input: unknown): Response {
        try {
          return this.next(input) as Response;
        } catch {
          return undefined as never;
        }
      }
    }
    const errors = vi.fn<(error: unknown) => void>();
    const app = Application.builder().middleware(Swallow).onError(errors).build();
    expect((await app.fetch(request())).status).toBe(500);
    expect(String(errors.mock.calls[0]![0])).toBe(
      "TypeError: Cannot respond to GET: expected a new Response from Swallow, got undefined; write return",
    );
  });

  it("answers an error that lies about what it is", async () => {
    silenced();
    const forged = { [Symbol.for("fingerpost.HTTPError")]: true, status: 999, statusText: "a\nb", message: "secret" };
    const response = await answer(() => Promise.reject(forged));
    expect([response.status, await response.text()]).toEqual([500, '{"title":"Internal Server Error","status":500}']);
    expect(await statusOf(answer(() => Promise.reject(Object.create(HTTPError.prototype))))).toBe(500);
  });

  it("reports what is the server's fault to the console, and no more", async () => {
    const reported = silenced();
    const fault = new Error("disk");
    await answer(() => Promise.reject(fault));
    await answer(() => Promise.reject(new HTTPError(Status.Conflict)));
    expect(reported.mock.calls).toEqual([["%s:", 'GET "/" at "/" of Answer', fault]]);
  });

  it("answers and goes on where an error cannot be printed", async () => {
    const reported = vi
      .spyOn(console, "error")
      .mockImplementation((...printed) => void printed.map((value) => String((value as Error).stack ?? value)));
    onTestFinished(() => reported.mockRestore());
    const unprintable = Object.defineProperty(new Error("a"), "stack", {
      get() {
        throw new Error("no stack");
      },
    });
    expect(await statusOf(answer(() => Promise.reject(unprintable)))).toBe(500);
    expect(reported).toHaveBeenLastCalledWith("An error that cannot be printed");
  });

  it("C2.8 answers and goes on where the console throws whatever it is told", async () => {
    const reported = vi.spyOn(console, "error").mockImplementation(() => {
      throw new Error("no console");
    });
    onTestFinished(() => reported.mockRestore());
    expect(await statusOf(answer(() => Promise.reject(new Error("a"))))).toBe(500);
    expect(reported).toHaveBeenCalledTimes(2);
  });

  it("takes an answer of an observer for one only if it is a Response", async () => {
    const failing = (): never => {
      throw new HTTPError(Status.Conflict);
    };
    expect(await statusOf(answer(failing, () => new Response(null, { status: 410 })))).toBe(410);
    const reported = silenced();
    expect(await statusOf(answer(failing, () => {}))).toBe(409);
    expect(await statusOf(answer(failing, () => null as unknown as undefined))).toBe(409);
    expect(reported).not.toHaveBeenCalled();
  });

  it("C7.5 sends an HTTPError of an observer as it sends all errors, in the format of problems()", async () => {
    const lost = new Error("no row");
    const seen: unknown[] = [];
    class Stamp extends Middleware {
      override ALL(input: Request): Promise<Response> | Response {
        this.errorHeaders(input).set("x-stamp", "1");
        return this.next(input);
      }
    }
    class Item extends Resource {
      override paths = ["/"];
      override GET(): Response {
        throw lost;
      }
    }
    const told = new HTTPError(Status.NotFound, "No such row", { cause: lost, headers: { "x-told": "1" } });
    for (const observe of [() => told, async () => told]) {
      const app = Application.builder()
        .resources(Item)
        .middleware(Stamp)
        .onError(observe)
        .problems({
          schema: { "~standard": {} } as never,
          type: "application/xml",
          from: ({ status, detail }, error) => {
            seen.push(error);
            return `<Error><Code>${status}</Code><Message>${detail}</Message></Error>`;
          },
        })
        .build();
      const response = await app.fetch(request());
      expect([response.status, await response.text()]).toEqual([
        404,
        "<Error><Code>404</Code><Message>No such row</Message></Error>",
      ]);
      expect(Object.fromEntries(response.headers)).toEqual({
        "content-type": "application/xml",
        "x-told": "1",
        "x-stamp": "1",
      });
    }
    expect(seen).toEqual([told, told]);
  });

  it.each([
    ["an object", { status: 410 }],
    ['"<h1>x</h1>"', "<h1>x</h1>"],
    ["0", 0],
  ])("C7.5 reports once that an observer returns %s, and answers", async (text, value) => {
    for (const observe of [() => value, async () => value] as unknown as (() => Response)[]) {
      const reported = silenced();
      const failing = (): unknown => Promise.reject(new Error("disk"));
      expect(await statusOf(answer(failing, observe))).toBe(500);
      expect(await statusOf(answer(failing, observe))).toBe(500);
      const message = `Cannot respond to GET: expected a new Response from onError(), got ${text}`;
      expect(reported.mock.calls).toEqual([[new TypeError(message)]]);
      reported.mockRestore();
    }
  });

  it("reports both errors if the observer fails, and answers", async () => {
    const reported = silenced();
    const [first, second] = [new Error("first"), new Error("second")];
    const response = answer(
      () => Promise.reject(first),
      () => {
        throw second;
      },
    );
    expect(await statusOf(response)).toBe(500);
    expect(reported.mock.calls).toEqual([[first], [second]]);
  });

  it.each([
    ["one whose content was read already", () => spent()],
    ["Response.error()", async () => Response.error()],
  ])("answers, and reports it, if an observer returns %s", async (text, observe) => {
    const reported = silenced();
    // Each observer is reported once.
    const app = Application.builder()
      .onError(() => observe())
      .build();
    expect(await statusOf(app.fetch(request()))).toBe(404);
    expect(reported.mock.calls.map(String)).toEqual([
      `TypeError: Cannot respond to GET: expected a new Response from onError(), got ${text}`,
    ]);
  });

  it("answers with the fields of middleware if the response of an observer cannot have them", async () => {
    const reported = silenced();
    const observe = (): Response => ({ ...light(), status: 99 }) as unknown as Response;
    class Stamp extends Middleware {
      override ALL(input: Request): Response {
        this.errorHeaders(input).set("x-stamp", "1");
        throw new Error("disk");
      }
    }
    class Item extends Resource {
      override paths = ["/"];
    }
    const group = ResourceGroup.builder().resources(Item).middleware(Stamp).build();
    const app = Application.builder().resources(group).onError(observe).build();
    const response = await app.fetch(request());
    expect([response.status, response.headers.get("x-stamp")]).toEqual([500, "1"]);
    expect(reported).toHaveBeenCalledTimes(1);
  });

  it("has the host complete a handshake, once 101 is the answer", async () => {
    const { host } = running;
    onTestFinished(() => void (running.host = host));
    const complete = vi.fn<() => Response | null>(() => null);
    running.host = { ...host, complete };
    const switching = Object.defineProperty(new Response(), "status", { value: 101 });
    for (const given of [switching, Promise.resolve(switching), new Response(), Promise.resolve(new Response())]) {
      class Room extends Resource {
        override paths = ["/"];
        override GET = (): Response | Promise<Response> => given;
      }
      const app = Application.builder().resources(Room).build();
      const input = request();
      const response = await app.fetch(input, "passed" as never);
      expect(response).toBe(await given);
      expect(complete.mock.calls.splice(0)).toEqual(response === switching ? [[input, "passed", response]] : []);
    }
    const own = new Response();
    complete.mockReturnValue(own);
    class Room extends Resource {
      override paths = ["/"];
      override GET = (): Response => switching;
    }
    expect(await Application.builder().resources(Room).build().fetch(request())).toBe(own);
  });

  it("has work done after the answer, whose error the observer is told", async () => {
    withLateWork();
    const [fault, errors] = [new Error("late"), vi.fn<(error: unknown) => void>()];
    const late = (input: Request): Response => {
      after(input, () => {
        throw fault;
      });
      return new Response("fine");
    };
    class Late extends Resource {
      override paths = ["/"];
      override GET = late;
    }
    const app = Application.builder().resources(Late).onError(errors).build();
    const input = request();
    const response = await app.fetch(input);
    expect(await response.text()).toBe("fine");
    await app.settled();
    expect(errors.mock.calls).toEqual([[fault, input]]);
  });

  it("answers a host that passes no request", async () => {
    const app = Application.builder()
      .onError(() => {})
      .build();
    for (const load of [() => {}, withLateWork]) {
      load();
      for (const input of [null, undefined, 5, "text", {}]) {
        expect((await app.fetch(input as unknown as Request)).status).toBe(500);
      }
    }
  });
});

async function spent(response = new Response("content")): Promise<Response> {
  await response.text();
  return response;
}

function light() {
  return { status: 200, headers: new Headers(), arrayBuffer: async () => new ArrayBuffer(0) };
}

describe("a response that is dropped, because the request ends in an error", () => {
  const conflict = (): never => {
    throw new HTTPError(Status.Conflict);
  };

  /** A resource with content that never ends by itself. */
  const longAt = (path: string, cancel: () => void) =>
    class extends Resource {
      override paths = [path];
      override GET(): Response {
        return new Response(new ReadableStream({ cancel }));
      }
    } as typeof Resource;

  /** Answers by a handler inside of middleware, and counts how often the content of the handler is canceled. */
  function dropping(After: typeof Middleware, onError: (error: unknown) => Response | void = () => {}) {
    const cancel = vi.fn<() => void>();
    const Long = longAt("/", cancel);
    const app = Application.builder().resources(Long).middleware(After).onError(onError).build();
    return { response: app.fetch(request()), cancel };
  }

  class Failing extends Middleware {
    override async ALL(input: unknown): Promise<Response> {
      await this.next(input);
      return conflict();
    }
  }
  class Passing extends Middleware {
    override ALL(input: unknown): Response | Promise<Response> {
      return this.next(input);
    }
  }
  class Copying extends Middleware {
    override async ALL(input: unknown): Promise<Response> {
      const given = await this.next(input);
      return new Response(given.body, given);
    }
  }

  it("F12 has its content canceled, once", async () => {
    const { response, cancel } = dropping(Failing);
    expect(await statusOf(response)).toBe(409);
    expect(cancel).toHaveBeenCalledOnce();
  });

  it("F12 has its content canceled where it was copied, and where a replacement led to it", async () => {
    class Replacing extends Middleware {
      override async ALL(input: unknown): Promise<Response> {
        await this.next(input, new Request(input as Request));
        return conflict();
      }
    }
    const cancel = vi.fn<() => void>();
    const Long = longAt("/", cancel);
    const group = ResourceGroup.builder().resources(Long).middleware(Copying).build();
    const app = Application.builder().resources(group).middleware(Replacing).build();
    expect(await statusOf(app.fetch(request()))).toBe(409);
    expect(cancel).toHaveBeenCalledOnce();
  });

  it("F12 has its content canceled when it comes later", async () => {
    let resolve!: () => void;
    const promise = new Promise<void>((now) => (resolve = now));
    const cancel = vi.fn<() => void>();
    class Late extends Resource {
      override paths = ["/"];
      override async GET(): Promise<Response> {
        await promise;
        return new Response(new ReadableStream({ cancel }));
      }
    }
    class Hasty extends Middleware {
      override ALL(input: unknown): never {
        void this.next(input);
        return conflict();
      }
    }
    const app = Application.builder().resources(Late).middleware(Hasty).build();
    expect(await statusOf(app.fetch(request()))).toBe(409);
    expect(cancel).not.toHaveBeenCalled();
    resolve();
    await new Promise((done) => setTimeout(done));
    expect(cancel).toHaveBeenCalledOnce();
  });

  it("is left alone where it answers the same request, which came in twice at once", async () => {
    let resolve!: () => void;
    const promise = new Promise<void>((now) => (resolve = now));
    let runs = 0;
    class First extends Resource {
      override paths = ["/"];
      override async GET(): Promise<Response> {
        if (++runs % 2 === 0) return new Response("answered");
        await promise;
        return conflict();
      }
    }
    class Pass extends Middleware {
      override ALL(input: Request): Response | Promise<Response> {
        return this.next(input);
      }
    }
    const app = Application.builder().resources(First).middleware(Pass).build();
    const one = request();
    const both = [app.fetch(one), app.fetch(one)];
    const answered = await both[1]!;
    resolve();
    expect(await statusOf(both[0]!)).toBe(409);
    expect(await answered.text()).toBe("answered");

    class Hedge extends Middleware {
      override async ALL(input: Request): Promise<Response> {
        const given = await Promise.all([this.next(input), this.next(input)]);
        return given[1];
      }
    }
    class Mount extends Resource {
      override paths = ["/"];
      override GET = (input: Request): Promise<Response> => app.fetch(input);
    }
    const outer = Application.builder().resources(Mount).middleware(Hedge).build();
    expect(await (await outer.fetch(request())).text()).toBe("answered");
  });

  it("F12 has content of each run canceled, where middleware goes on twice, also with one replacement", async () => {
    for (const replace of [() => undefined, () => request()]) {
      class Twice extends Middleware {
        override async ALL(input: unknown): Promise<Response> {
          const other = replace();
          await this.next(input, other);
          await this.next(input, other);
          return conflict();
        }
      }
      const { response, cancel } = dropping(Twice);
      expect(await statusOf(response)).toBe(409);
      expect(cancel).toHaveBeenCalledTimes(2);
    }
  });

  it("F12 has its content canceled of each resource that one replacement has led to", async () => {
    const cancel = vi.fn<() => void>();
    class Twice extends Middleware {
      override async ALL(input: unknown): Promise<Response> {
        const other = { url: "/a", method: "GET" };
        await this.next(input, other);
        other.url = "/b";
        await this.next(input, other);
        return conflict();
      }
    }
    const app = Application.builder().resources(longAt("/a", cancel), longAt("/b", cancel)).middleware(Twice).build();
    expect(await statusOf(app.fetch(request()))).toBe(409);
    expect(cancel).toHaveBeenCalledTimes(2);
  });

  it("F12 has its content canceled where it is of an application within", async () => {
    const cancel = vi.fn<() => void>();
    const Long = longAt("/", cancel);
    const within = Application.builder().resources(Long).middleware(Passing).build();
    class Mount extends Resource {
      override paths = ["/"];
      override GET = (input: Request): Promise<Response> => within.fetch(input);
    }
    const app = Application.builder().resources(Mount).middleware(Failing).build();
    expect(await statusOf(app.fetch(request()))).toBe(409);
    expect(cancel).toHaveBeenCalledOnce();
  });

  it("is left alone where somebody reads it, or middleware answers by another response", async () => {
    class Reading extends Middleware {
      override async ALL(input: unknown): Promise<Response> {
        (await this.next(input)).body!.getReader();
        return conflict();
      }
    }
    class Other extends Middleware {
      override async ALL(input: unknown): Promise<Response> {
        await this.next(input);
        return new Response("other");
      }
    }
    for (const After of [Reading, Other]) {
      const { response, cancel } = dropping(After);
      await response;
      expect(cancel).not.toHaveBeenCalled();
    }
  });

  it("is left alone where an observer answers by it, or by a copy of it", async () => {
    class Carried extends Error {
      readonly response: Response;
      constructor(response: Response) {
        super();
        this.response = response;
      }
    }
    class Carrying extends Middleware {
      override async ALL(input: unknown): Promise<Response> {
        throw new Carried(await this.next(input));
      }
    }
    const takes = [
      ({ response }: Carried): Response => response,
      ({ response }: Carried): Response => new Response(response.body, response),
    ];
    for (const take of takes) {
      const { response, cancel } = dropping(Carrying, (error) => take(error as Carried));
      expect(await statusOf(response)).toBe(200);
      expect(cancel).not.toHaveBeenCalled();
    }
  });
});
