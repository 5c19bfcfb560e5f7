// Resources of the polyfill module, whose handlers write to a response; and what is asked of them.
import { builtAround } from "./around.js";

/** An application whose handlers write to Node's response, with a row of around.js. */
export function polyfillApplication({ polyfill }, row, note) {
  const { Resource, HTTPError, Status } = polyfill;

  class Things extends Resource {
    paths = ["/things/:how", "/files/:path*"];
    GET({ params, response }) {
      const how = params.pathParam("how");
      if (how === "error") throw new Error("secret");
      if (how === "gone") throw new HTTPError(Status.Gone, "Withdrawn", { headers: { "X-Since": "1999" } });
      if (how === "unavailable") throw new HTTPError(Status.ServiceUnavailable, "secret");
      if (how === "nothing") return undefined;
      if (how === "later") return Promise.resolve().then(() => response.end("later"));
      if (how === "head") {
        response.writeHead(299, "Some Reason", { "X-A": "1", "Set-Cookie": ["a=1", "b=2"] });
        return response.end("head");
      }
      if (how === "parts") {
        response.setHeader("Content-Type", "text/plain");
        response.write("one");
        return response.end("two");
      }
      if (how === "broken") {
        response.write("one");
        throw new Error("secret");
      }
      if (how === "status") {
        response.statusCode = 404;
        return response.end();
      }
      response.setHeader("ETag", '"7"');
      return response.end(`${params.pattern} ${how ?? params.segments("path").join("|")} ${params.queryParam("q")}`);
    }
    async POST({ request, response }) {
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      response.statusCode = 201;
      return response.end(Buffer.concat(chunks));
    }
  }
  return builtAround(polyfill, [Things], row, note);
}

const get = (path, headers = {}) => ({ method: "GET", path, headers });
const text = { "content-type": "text/plain" };

/** What is asked around everything that goes with it. */
export const asked = [
  ...["made?q=1", "error", "gone", "unavailable", "nothing", "later", "head", "parts", "broken", "status"].map((how) =>
    get(`/things/${how}`),
  ),
  get("/files/a%20b/c"),
  get("/files/a//b"),
  get("/things/%FF"),
  get("/nowhere"),
  get("/things/made", { accept: "text/html" }),
  { method: "HEAD", path: "/things/made" },
  { method: "OPTIONS", path: "/things/made" },
  { method: "PUT", path: "/things/made", body: "x", headers: text },
  { method: "PURGE", path: "/things/made" },
  { method: "POST", path: "/things/made", body: "some content", headers: text },
];
