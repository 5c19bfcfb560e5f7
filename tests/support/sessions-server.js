// A process whose requests have sessions in one Redis. It prints its port. With the key of a feed, others learn which
// sessions end.
import { createClient } from "@redis/client";
import { Application, Attribute, HTTPError, Resource, Response, Status } from "fingerpost/native";
import { upgrade } from "fingerpost/native/content";
import { serve } from "fingerpost/node";
import { sessions } from "fingerpost/sessions";
import { redisSessions } from "fingerpost/stores";
import { redisFeed } from "../../examples/events/redis-feed.js";

const [url, key] = process.argv.slice(2);
// Commands of a connection that broke fail: whether they had an effect is not known.
const client = createClient({ url, disableOfflineQueue: true, socket: { reconnectStrategy: () => 20 } });
client.on("error", () => {});
await client.connect();

const session = new Attribute("session");
/** Data of these members. */
const schema = {
  "~standard": {
    version: 1,
    vendor: "tests",
    validate: (value) =>
      typeof value?.user === "string" && typeof value.count === "number" ? { value } : { issues: [{ message: "no" }] },
  },
};

class Session extends Resource {
  paths = ["/session/:user?"];

  async POST(request) {
    const user = request.params.pathParam("user");
    await session.get(request).start({ user, count: 0 });
    return Response.json({ user, count: 0 });
  }
  GET(request) {
    return Response.json(session.get(request).data);
  }
  /** A new id for the same data: what a page does when rights change. */
  async PUT(request) {
    const own = session.get(request);
    if (own.data === null) throw new HTTPError(Status.Forbidden);
    await own.start(own.data);
    return Response.json(own.data);
  }
  async PATCH(request) {
    const own = session.get(request);
    if (own.data === null) throw new HTTPError(Status.Forbidden);
    return Response.json(await own.update(({ user, count }) => ({ user, count: count + 1 })));
  }
  async DELETE(request) {
    await session.get(request).end();
    return Response.json(null);
  }
}

class Live extends Resource {
  paths = ["/live"];

  GET(request) {
    return upgrade(request, { open: (peer) => peer.send("open") });
  }
}

const feed = key === undefined ? undefined : await redisFeed(client, key);
const app = Application.builder()
  .resources(Session, Live)
  .middleware(sessions({ session, schema, store: redisSessions(client), feed }))
  .onError(() => {})
  .build();
const server = await serve(app, { port: 0, hostname: "127.0.0.1" });
process.once("disconnect", () => process.exit());
process.send(server.address().port);
