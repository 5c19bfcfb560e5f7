// Serves a feed that processes share: GET listens, POST sends.
import { eventStream, lastEventIdOf } from "fingerpost/content/events.js";
import { Application, Resource } from "fingerpost/modules/http.native.js";
import { serve } from "fingerpost/servers/node.js";

export async function serveFeed({ inbox, send }) {
  class Feed extends Resource {
    paths = ["/feed"];
    GET(request) {
      return eventStream(request, (signal) => inbox.listen(signal, { after: lastEventIdOf(request) }));
    }
    async POST(request) {
      await send(await request.json());
      return new Response(null, { status: 204 });
    }
  }
  const server = await serve(Application.builder().resources(Feed).build(), { port: 0, hostname: "127.0.0.1" });
  process.send(server.address().port);
}
