import { text } from "node:stream/consumers";
import { Resource } from "fingerpost/polyfill";

export class Guestbook extends Resource {
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
