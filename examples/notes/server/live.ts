import { events, reply, socket, type Answer, type Call } from "fingerpost/semantics";
import { lastEventIdOf } from "fingerpost/content/events";
import { z } from "zod";
import { Change } from "./schemas.ts";
import type { Services } from "./services.ts";
import { me, session, StoredResource } from "./stored-resource.ts";

/** Changes of your notes as they happen: by a WebSocket, or as events where none passes. */
export class Live extends StoredResource {
  paths = ["/live"] as const;

  static GET = {
    summary: "Changes of your notes",
    101: socket({ receives: z.never(), sends: Change }),
    200: events(Change),
  };
  GET(call: Call<typeof Live, "GET">): Answer<typeof Live, "GET"> {
    const { id } = me.get(call);
    const { endsAt: until } = session.get(call);
    if (call.isHandshake) return reply(101, { open: (peer) => peer.subscribe(String(id)) }, { until });
    return this.#changesOf(id, call);
  }

  async *#changesOf(owner: number, { request, signal }: Call<typeof Live, "GET">) {
    const after = lastEventIdOf(request);
    for await (const change of this.services.changes.listen(signal, { after }))
      if (change.data.owner === owner) yield change;
  }
}

/** Tells the sockets of this process what any process changes. */
export async function tellSockets(
  app: { publish(Class: typeof Live, topic: string, message: object): void },
  changes: Services["changes"],
) {
  for await (const { data } of changes.listen()) app.publish(Live, String(data.owner), data);
}
