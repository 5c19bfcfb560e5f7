import { Resource, Response, type RequestOf } from "fingerpost/modules/http.native.js";

/** Greets whoever the path names: `/hello`, `/hello/Ada`. */
export class Greeting extends Resource {
  paths = ["/hello/:name?"] as const;

  GET({ params }: RequestOf<Greeting>): Response {
    return new Response(`Hello, ${params.pathParam("name") ?? "World"}\n`);
  }
}
