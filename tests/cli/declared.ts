// An application of the semantics module that the command line tools explain.
import { Application, Resource, text } from "fingerpost";
import { Middleware, Resource as NativeResource } from "fingerpost/modules/http.native.js";
import { z } from "zod";

class Log extends Middleware {
  GET = (input: Request) => this.next(input);
}

class Book extends Resource {
  override paths = ["/books", "/books/:isbn"];
  static override readonly middleware = [Log];

  static GET = { 200: text(), 404: "No such book" };
  override GET = () => "Kindred";

  static PUT = { at: ["/books/:isbn"], content: z.object({ title: z.string() }), 204: "Stored" };
  override PUT = () => undefined;
}

class Kept extends Resource {
  override paths = ["/kept"];
  validator = () => ({ etag: '"1"' });

  static PUT = { precondition: true, content: z.object({ title: z.string() }), 204: "Stored" } as const;
  override PUT = () => undefined;
}

class Plain extends NativeResource {
  override paths = ["/plain"];
  override GET = () => new Response("plain");
}

export const declared = Application.builder().resources(Book, Kept, Plain).build();
