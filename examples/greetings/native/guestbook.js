import { Resource, Response, Status } from "fingerpost/native";

export class Guestbook extends Resource {
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
