// What an editor sees in plain JavaScript: nothing must be written, and comments give what TypeScript has.
import { Application, Middleware, Resource } from "fingerpost/modules/http.native.js";

/** @import { RequestOf } from "fingerpost/modules/http.native.js" */

class Guard extends Middleware {
  async ALL(request) {
    const response = await this.next(request);
    response.headers.set("X-Guard", "passed");
    // @ts-expect-error -- it is a Response
    response.header("X-Guard");
    return response;
  }
}

class Author extends Resource {
  paths = ["/authors/:name"];

  GET(request) {
    return new Response(request.params.pathParam("name"));
  }
}

class Book extends Resource {
  paths = /** @type {const} */ (["/books/:id/:page?"]);

  /** @param {RequestOf<Book>} request */
  GET({ params }) {
    // @ts-expect-error -- the param is named id
    params.pathParam("isbn");
    return new Response(params.pathParam("id").trim());
  }
}

export const app = Application.builder().resources(Author, Book).middleware(Guard).build();
