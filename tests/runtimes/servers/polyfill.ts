// The application that every server of the polyfill chain serves.
import { pipeline } from "node:stream/promises";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { Application, HTTPError, Resource, Status } from "fingerpost/modules/http.polyfill.js";
import type { NodeContext } from "fingerpost/node";
import type { Handled } from "../../support/chains.ts";
import type { State } from "./state.ts";

type Context = NodeContext & Handled;

/** Makes the application; what its handlers learn goes into the state. */
export function applicationOf(state: State): Application {
  class Greeting extends Resource {
    paths = ["/hello/:name"];
    GET({ params, response }: Context): void {
      response.end(`Hello, ${params.pathParam("name")}`);
    }
    HEAD(context: Context): void {
      this.GET(context);
    }
  }

  class Echo extends Resource {
    paths = ["/echo/:path*"];
    GET({ method, params, response }: Context): void {
      response.end(JSON.stringify({ method, path: params.pathParam("path"), q: params.queryParam("q") }));
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
    async POST({ request, response }: Context): Promise<void> {
      const { length } = await buffer(request);
      response.writeHead(201).end(String(length));
    }
    async PUT({ request, response }: Context): Promise<void> {
      await pipeline(request, response);
    }
  }

  class Large extends Resource {
    paths = ["/large/:size(\\d+)"];
    async GET({ params, response }: Context): Promise<void> {
      await pipeline(Readable.from(zeros(Number(params.pathParam("size")))), response);
    }
  }

  class Cookies extends Resource {
    paths = ["/cookies"];
    GET({ response }: Context): void {
      response.setHeader("set-cookie", ["a=1; Path=/", "b=2, 3", "c=4"]).end();
    }
  }

  class Failing extends Resource {
    paths = ["/fail/:how"];
    async GET({ params, response }: Context): Promise<void> {
      const how = params.pathParam("how");
      if (how === "nothing") return;
      if (how === "text") throw "secret";
      if (how === "late") response.write("half");
      if (how !== "refusal") throw new Error("secret");
      throw new HTTPError(Status.Unauthorized, "Who are you?", { headers: { "www-authenticate": "Basic" } });
    }
  }

  class Waiting extends Resource {
    paths = ["/wait"];
    async GET({ response }: Context): Promise<void> {
      state.begun++;
      await new Promise((resolve) => response.once("close", resolve));
      state.aborted++;
    }
    async POST({ request, response }: Context): Promise<void> {
      await buffer(request);
      response.end("done");
    }
  }

  class Drip extends Resource {
    paths = ["/drip"];
    async GET({ response }: Context): Promise<void> {
      state.begun++;
      const timer = setInterval(() => response.write(Buffer.alloc(1000)), 5);
      await new Promise((resolve) => response.once("close", resolve));
      clearInterval(timer);
      state.aborted++;
    }
  }

  class States extends Resource {
    paths = ["/state"];
    GET({ response }: Context): void {
      response.end(JSON.stringify({ ...state, heap: state.heap() }));
    }
  }

  return Application.builder()
    .resources(Greeting, Echo, Content, Large, Cookies, Failing, Waiting, Drip, States)
    .build();
}

function* zeros(size: number): Generator<Buffer> {
  for (let left = size; left > 0; left -= 65_536) yield Buffer.alloc(Math.min(left, 65_536));
}
