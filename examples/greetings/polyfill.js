// The resources that the examples of hosts serve, for handlers that write to the response of Node.
import { text } from "node:stream/consumers";
import { Application, Resource } from "fingerpost/modules/http.polyfill.js";

class Greeting extends Resource {
  paths = ["/hello/:name"];

  GET({ params, response }) {
    response.end(`Hello, ${params.pathParam("name")}\n`);
  }
}

class Guestbook extends Resource {
  paths = ["/guestbook"];
  #entries = [];

  GET({ response }) {
    response.setHeader("content-type", "application/json").end(JSON.stringify(this.#entries));
  }

  async POST({ request, response }) {
    this.#entries.push(await text(request));
    response.writeHead(201, { location: "/guestbook" }).end();
  }
}

export const application = Application.builder().resources(Greeting, Guestbook).build();
