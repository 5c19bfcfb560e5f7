// The resources that the examples of runtimes and hosts serve, for handlers that take a Request.
import { Application, Resource, Status } from "fingerpost/modules/http.native.js";

class Greeting extends Resource {
  paths = ["/hello/:name"];

  GET({ params }) {
    return new Response(`Hello, ${params.pathParam("name")}\n`);
  }
}

class Guestbook extends Resource {
  paths = ["/guestbook"];
  #entries = [];

  GET() {
    return Response.json(this.#entries);
  }

  async POST(request) {
    this.#entries.push(await request.text());
    return new Response(null, { ...Status.Created, headers: { location: "/guestbook" } });
  }
}

export const application = Application.builder().resources(Greeting, Guestbook).build();
