import { Resource } from "fingerpost/modules/http.native.js";

/** Greets whoever the path names: `/hello`, `/hello/Ada`. */
export class Greeting extends Resource {
  paths = ["/hello/:name?"];

  GET({ params }) {
    return new Response(`Hello, ${params.pathParam("name") ?? "World"}\n`);
  }
}
