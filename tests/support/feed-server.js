// Serves a feed that processes share, by events and by WebSockets: GET listens, POST sends.
import { lastEventIdOf } from "fingerpost/events";
import { Application, Resource } from "fingerpost/modules/http.native.js";
import { eventStream, upgrade } from "fingerpost/native/content";
import { serve } from "fingerpost/node";
import { shareTopics } from "fingerpost/sockets";

export async function serveFeed(feed) {
  const { inbox, send } = feed;
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
  class Live extends Resource {
    paths = ["/live"];
    GET(request) {
      return upgrade(request, {
        open(peer) {
          peer.subscribe("all");
          peer.send("open");
        },
        message: (peer, message) => peer.publish("all", message),
      });
    }
    async POST(request) {
      app.publish(Live, "all", await request.text());
      return new Response(null, { status: 204 });
    }
  }
  const app = Application.builder().resources(Feed, Live).build();
  shareTopics(app, { feed });
  const server = await serve(app, { port: 0, hostname: "127.0.0.1" });
  process.send(server.address().port);
}
