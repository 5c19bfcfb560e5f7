// What a program in strict TypeScript sees of the packed declarations: scripts/check/packed-package.js compiles it
// against them.
import { cors } from "fingerpost/middleware/cors";
import { rateLimit } from "fingerpost/middleware/rate-limit";
import { requestIdOf } from "fingerpost/middleware/request-id";
import { Application, Attribute, Middleware, Resource, type RequestOf } from "fingerpost/modules/http.native.js";
import * as polyfill from "fingerpost/modules/http.polyfill.js";
import { listener, serve, type NodeContext } from "fingerpost/node";

const user = new Attribute<{ readonly name: string }>("user");

const limiter = { consume: async () => ({ remainingPoints: 1, msBeforeNext: 1 }) };

class Guard extends Middleware {
  async ALL(request: RequestOf): Promise<Response> {
    user.set(request, { name: "Ada" });
    const response = await this.next(request);
    response.headers.set("X-User", user.get(request).name);
    return response;
  }
}

class Book extends Resource {
  paths = ["/books/:id", "/shelves/:shelf/:id"] as const;

  GET(request: RequestOf<Book>): Response {
    const id: string = request.params.pathParam("id");
    const shelf: string | undefined = request.params.pathParam("shelf");
    // @ts-expect-error -- no pattern has it
    request.params.pathParam("isbn");
    return Response.json({ id, shelf, request: requestIdOf(request) });
  }
}

class Page extends polyfill.Resource {
  paths = ["/pages/:number(\\d+)?"] as const;

  GET({ params, response }: polyfill.ContextOf<Page, NodeContext>): unknown {
    // @ts-expect-error -- it may be absent
    const number: string = params.pathParam("number");
    return response.end(number);
  }
}

export const app: Application = Application.builder()
  .resources(Book)
  .middleware(Guard, cors({ origins: (origin, request) => origin === new URL(request.url).origin }))
  .middleware(rateLimit({ limiter, address: (request) => request.headers.get("cf-connecting-ip") }))
  .onError((error, request) => console.error(error, request.params?.pattern))
  .build();
export const pages: polyfill.Application = polyfill.Application.builder().resources(Page).build();
export const servers: unknown[] = [serve(app, { port: 0 }), serve(pages, { port: 0 }), listener(app)];
