import { dist } from "../../lib/dist.js";
import * as content from "../content.js";

const load = (file) => import(new URL(file, dist).href);
const { bearer } = await load("middleware/bearer.js");
const { cors } = await load("middleware/cors.js");
const { requestId } = await load("middleware/request-id.js");
const { Files } = await load("content/files.js");
const { snapshot } = await load("content/folder.js");

const middleware = [requestId(), cors({ origins: "*" }), bearer({ tokens: { [content.token]: "a client" } })];

function filesIn() {
  return class Assets extends Files {
    paths = ["/files/:path*"];
    source = snapshot(content.folderOfFile());
  };
}

/** Errors as all candidates answer them: ours say more of what did not fit. */
const problems = {
  schema: content.Problem,
  type: content.problemType,
  from: ({ title, status, detail }) => ({ title, status, detail }),
};

const scoped = bearer({ tokens: { [content.token]: ["items:read", "items:list"] }, scopesOf: (scopes) => scopes });

/** Operations with zod, answers written by their schema. @param kind whether the guarded one needs two scopes. */
export async function semanticsApp(kind) {
  const { Application, Resource, reply, text } = await load("modules/http.semantics.js");
  const shown = { path: content.Params, query: content.Query, 200: content.ShownItem };

  class Item extends Resource {
    paths = ["/items/:id"];
    static GET = shown;
    GET({ path, query }) {
      return content.shownItemOf(path.id, query);
    }
  }
  class Items extends Resource {
    paths = ["/items"];
    static GET = { 200: content.List };
    GET() {
      return content.listed();
    }
    static POST = { content: content.NewItem, 201: content.Created };
    POST({ content: item }) {
      return reply(201, content.createdOf(item), { location: content.createdAt });
    }
  }
  class Guarded extends Item {
    paths = ["/guarded/:id"];
    static GET = kind === "scopes" ? { ...shown, scopes: ["items:read", "items:list"] } : shown;
    static middleware = kind === "scopes" ? [...middleware.slice(0, 2), scoped] : middleware;
  }
  class Text extends Resource {
    paths = ["/text"];
    static GET = { 200: text() };
    GET() {
      return content.greeting;
    }
  }
  return Application.builder().resources(Item, Items, Guarded, Text, filesIn()).problems(problems).build();
}

/** The item that params and query ask for, where handlers read them with zod. */
function shownBy(params) {
  const { id } = content.Params.parse({ id: params.pathParam("id") });
  const query = { limit: params.queryParam("limit"), lang: params.queryParam("lang") };
  return content.shownItemOf(id, content.Query.parse(query));
}

/**
 * The native module; zod reads queries and content. @param kind whose `Response` handlers return: `own`, or the
 * platform's.
 */
export async function nativeApp(kind) {
  const { Application, HTTPError, Resource, Response: Own, Status } = await load("modules/http.native.js");
  const Response = kind === "own" ? Own : globalThis.Response;

  class Item extends Resource {
    paths = ["/items/:id"];
    GET({ params }) {
      return Response.json(shownBy(params));
    }
  }
  class Items extends Resource {
    paths = ["/items"];
    GET() {
      return Response.json(content.listed());
    }
    async POST(request) {
      const { success, data } = content.NewItem.safeParse(await request.json());
      if (!success) throw new HTTPError(Status.UnprocessableContent, content.unfit.detail);
      const headers = { location: content.createdAt };
      return Response.json(content.createdOf(data), { status: 201, headers });
    }
  }
  class Guarded extends Item {
    paths = ["/guarded/:id"];
    static middleware = middleware;
  }
  class Text extends Resource {
    paths = ["/text"];
    GET() {
      return new Response(content.greeting);
    }
  }
  return Application.builder().resources(Item, Items, Guarded, Text, filesIn()).build();
}

/** The module of contexts: handlers write to the response of Node. */
async function polyfillApp() {
  const { Application, HTTPError, Resource, Status } = await load("modules/http.polyfill.js");
  const send = (response, status, value, type = "application/json") => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(text) });
    return response.end(text);
  };

  class Item extends Resource {
    paths = ["/items/:id"];
    GET({ params, response }) {
      return send(response, 200, shownBy(params));
    }
  }
  class Items extends Resource {
    paths = ["/items"];
    GET({ response }) {
      return send(response, 200, content.listed());
    }
    async POST({ request, response }) {
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      const { success, data } = content.NewItem.safeParse(JSON.parse(Buffer.concat(chunks).toString()));
      if (!success) throw new HTTPError(Status.UnprocessableContent, content.unfit.detail);
      response.setHeader("location", content.createdAt);
      return send(response, 201, content.createdOf(data));
    }
  }
  class Guarded extends Item {
    paths = ["/guarded/:id"];
    static middleware = middleware;
  }
  class Text extends Resource {
    paths = ["/text"];
    GET({ response }) {
      return send(response, 200, content.greeting, "text/plain");
    }
  }
  return Application.builder().resources(Item, Items, Guarded, Text).build();
}

/** On Node by `serve()`, on Bun and Deno by their own servers. */
export async function start(port, chain, kind) {
  const app = await { semantics: semanticsApp, native: nativeApp, polyfill: polyfillApp }[chain](kind);
  if (typeof Bun === "object") Bun.serve({ port, fetch: app.fetch });
  else if (typeof Deno === "object") Deno.serve({ port, hostname: "localhost", onListen() {} }, app.fetch);
  else await (await load("servers/node.js")).serve(app, { port });
}
