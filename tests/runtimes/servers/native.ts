// The application that every server of the native chain serves.
import { Files, type FileSource } from "fingerpost/files";
import { compress } from "fingerpost/middleware/compress";
import { rows } from "../../middleware/table.ts";
import { bytes, readInput } from "fingerpost";
import { memoryRecords } from "fingerpost/stores";
import { Application, HTTPError, Middleware, Resource, ResourceGroup, Status } from "fingerpost/modules/http.native.js";
import { sendWebhook, Webhook, verifyWebhook } from "fingerpost/webhooks";
import * as ownFields from "../../cases/own-fields.ts";
import { webhookSecret } from "../questions/webhook-secret.ts";
import type { Handled } from "../../support/chains.ts";
import type { State } from "./state.ts";

type Input = Request & Handled;

/**
 * Makes the application; what its handlers learn goes into the state, and what they return is of the class that is
 * given.
 */
export function applicationOf(state: State, Response: typeof globalThis.Response = globalThis.Response): Application {
  class Greeting extends Resource {
    paths = ["/hello/:name"];
    GET({ params }: Input): Response {
      return new Response(`Hello, ${params.pathParam("name")}`);
    }
    HEAD(input: Input): Response {
      return this.GET(input);
    }
  }

  class Echo extends Resource {
    paths = ["/echo/:path*"];
    async GET({ method, params }: Input): Promise<Response> {
      return Response.json({ method, path: params.pathParam("path"), q: params.queryParam("q") });
    }
    CONNECT = this.GET;
    DELETE = this.GET;
    HEAD = this.GET;
    OPTIONS = this.GET;
    PATCH = this.GET;
    POST = this.GET;
    PUT = this.GET;
    TRACE = this.GET;
  }

  class Content extends Resource {
    paths = ["/content"];
    async POST(request: Input): Promise<Response> {
      // What the client sends wrong, Node answers itself; Deno and workerd have reading it fail.
      const content = await request.arrayBuffer().catch((cause: unknown) => {
        throw new HTTPError(Status.BadRequest, "The content is incomplete", { cause });
      });
      return new Response(String(content.byteLength), Status.Created);
    }
    PUT(request: Input): Response {
      return new Response(request.body, { headers: { "content-type": "application/octet-stream" } });
    }
  }

  // What the server framed, and what was read of it.
  class Framed extends Resource {
    paths = ["/framed/:how?"];
    async POST(request: Input): Promise<Response> {
      const passed = passedOn[request.params.pathParam("how") ?? ""]!(request);
      const { content } = await readInput(passed, { content: bytes("application/octet-stream", { maxBytes: 2_000 }) });
      return Response.json({ read: content.byteLength, isAtOnce: readAtOnce.has(passed) });
    }
  }

  class Forwarding extends Resource {
    paths = ["/forward"];
    async POST(request: Input): Promise<Response> {
      const forwarded = new Request(request.url, request);
      forwarded.headers.set("x-by", "us");
      const { pathname, search } = new URL(forwarded.url);
      const { method, headers } = forwarded;
      return Response.json({
        method,
        path: pathname + search,
        by: headers.get("x-by"),
        content: await forwarded.text(),
      });
    }
  }

  class Large extends Resource {
    paths = ["/large/:size(\\d+)"];
    GET({ params }: Input): Response {
      let left = Number(params.pathParam("size"));
      const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
        const size = Math.min(left, 65_536);
        left -= size;
        if (size === 0) controller.close();
        else controller.enqueue(new Uint8Array(size));
      };
      return new Response(new ReadableStream({ pull }));
    }
  }

  class Cookies extends Resource {
    paths = ["/cookies"];
    GET(): Response {
      const headers = ["a=1; Path=/", "b=2, 3", "c=4"].map((value): [string, string] => ["set-cookie", value]);
      return new Response("", { headers });
    }
  }

  class Failing extends Resource {
    paths = ["/fail/:how"];
    async GET({ params }: Input): Promise<Response> {
      const how = params.pathParam("how");
      if (how === "nothing") return undefined as unknown as Response;
      if (how === "text") throw "secret";
      if (how === "late") return new Response(failing());
      if (how !== "refusal") throw new Error("secret");
      throw new HTTPError(Status.Unauthorized, "Who are you?", { headers: { "www-authenticate": "Basic" } });
    }
  }

  class Waiting extends Resource {
    paths = ["/wait"];
    async GET({ signal }: Input): Promise<Response> {
      state.begun++;
      // Not for ever: workerd does not tell when a client leaves, and ends what waits for nothing that can happen.
      const timer = new Promise((resolve) => setTimeout(resolve, 1000));
      await Promise.race([timer, new Promise((resolve) => signal.addEventListener("abort", resolve))]);
      if (signal.aborted) state.aborted++;
      return new Response("nobody reads this");
    }
    async POST(request: Input): Promise<Response> {
      await request.text();
      return new Response("done");
    }
  }

  class Drip extends Resource {
    paths = ["/drip"];
    GET(): Response {
      state.begun++;
      const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        controller.enqueue(new Uint8Array(1000));
      };
      return new Response(new ReadableStream({ pull, cancel: () => void state.aborted++ }));
    }
  }

  class Coded extends Resource {
    static override readonly middleware = [compress({ minBytes: 0 })];
    paths = ["/coded/:how"];
    GET({ params }: Input): Response {
      const how = params.pathParam("how");
      return new Response(how === "stream" ? new Response("content").body : "content", {
        headers: { "content-type": "text/plain" },
      });
    }
  }

  class Stored extends Files {
    paths = ["/stored/:path*"];
    source: FileSource = {
      codings: ["gzip"],
      find: (_names, coding) => ({
        length: gzipped.byteLength,
        etag: null,
        lastModified: null,
        type: "text/plain",
        coding: "gzip",
        read: (start, end) => gzipped.subarray(start, end),
        close: () => {},
        ...(coding === null && { coding: null, length: 7, read: () => new TextEncoder().encode("content") }),
      }),
    };
  }

  // Each middleware of the package, made where the application is: on Workers, that is outside of any request.
  const around = rows.map(({ middleware }, at) => {
    return class Around extends Resource {
      static override readonly middleware = [middleware];
      paths = [`/around/${at}`];
      GET(): Response {
        return new Response("content", { headers: { "content-type": "text/plain" } });
      }
    };
  });

  let taken = 0;
  class Hooks extends Resource {
    static override readonly middleware = [
      verifyWebhook({ scheme: "standard", secrets: [webhookSecret], store: memoryRecords() }),
    ];
    paths = ["/hooks"];
    async POST(request: Input): Promise<Response> {
      taken += 1;
      return Response.json({ content: await request.text(), taken });
    }
  }

  class Pinged extends Webhook {
    static override event = "pinged";
    static override POST = { content: anything };
  }
  class Sending extends Resource {
    paths = ["/send/:port/:how/:isPrivate?"];
    async POST({ params }: Input): Promise<Response> {
      const how = params.pathParam("how");
      const url = `http://127.0.0.1:${params.pathParam("port")}/${how}`;
      const given = {
        url,
        secrets: [webhookSecret],
        content: { text: "\uFEFF\u{1F44B}" },
        id: "msg_1",
        timeoutMs: how === "silent" ? 300 : 20_000,
      };
      try {
        const allowPrivate = params.pathParam("isPrivate") !== "refused";
        const { outcome, status, retryAfterMs } = await sendWebhook(Pinged, { ...given, allowPrivate });
        return Response.json({ outcome, status, retryAfterMs });
      } catch (error) {
        return new Response(String(error), Status.UnprocessableContent);
      }
    }
  }

  class States extends Resource {
    paths = ["/state"];
    GET(): Response {
      return Response.json({ ...state, heap: state.heap() });
    }
  }

  class Kinds extends Resource {
    paths = ["/kinds/:kind"];
    GET({ params }: Input): Response {
      const kind = params.pathParam("kind")!;
      if (kind === ownFields.error) throw new HTTPError(Status.NotFound, "None", { headers: ownFields.errorHeaders() });
      return ownFields.kinds[kind]!(Response);
    }
  }

  class Marks extends Middleware {
    async ALL(request: Input): Promise<Response> {
      const response = (await this.next(request)) as Response;
      const { status, statusText, headers, body } = response;
      const marked = new Headers([...headers, ...ownFields.own("middleware")]);
      return new Response(body, { status, statusText, headers: marked });
    }
  }

  return Application.builder()
    .resources(
      ResourceGroup.builder().resources(Kinds).middleware(Marks).build(),
      Greeting,
      Echo,
      Content,
      Framed,
      Forwarding,
      Large,
      Cookies,
      Failing,
      Waiting,
      Drip,
      Coded,
      Stored,
      Hooks,
      Sending,
      States,
      ...around,
    )
    .onError(() => {})
    .build();
}

const validate = (value: unknown): { readonly value: unknown } => ({ value });
const anything = { "~standard": { version: 1, vendor: "own", validate } } as const;

/** Requests whose content was read at once. */
const readAtOnce = new WeakSet<Request>();
const { arrayBuffer } = Request.prototype;
Request.prototype.arrayBuffer = function (this: Request): Promise<ArrayBuffer> {
  readAtOnce.add(this);
  return arrayBuffer.call(this);
};

/** What middleware may pass on in place of a request: by name, with the content that it has then. */
const passedOn: Readonly<Record<string, (request: Input) => Input>> = {
  "": (request) => request,
  clone: (request) => replaced(request.clone(), request),
  made: (request) => replaced(new Request(request, { body: "x".repeat(100), duplex: "half" } as RequestInit), request),
  proxy: (request) => {
    const { body } = new Response("x".repeat(100));
    return new Proxy(request, {
      get: (target, name) => (name === "body" ? body : (Reflect.get(target, name, target) as unknown)),
    });
  },
  own: (request) => Object.defineProperty(request, "body", { value: new Response("x".repeat(100)).body }),
};

function replaced(request: Request, { params }: Input): Input {
  return Object.assign(request, { params }) as Input;
}

/** "content", compressed by gzip. */
const gzipped = Uint8Array.from(atob("H4sIAAAAAAACA0vOzytJzSsBAKkwxf4HAAAA"), (character) => character.codePointAt(0)!);

/** Content that fails when a part of it has been sent. */
function failing(): ReadableStream<Uint8Array> {
  let pulls = 0;
  return new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (pulls++ < 2) controller.enqueue(new TextEncoder().encode("half"));
      else controller.error(new Error("secret"));
    },
  });
}
