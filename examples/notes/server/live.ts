import { events, reply, socket, type Answer, type Call, type Peer } from "fingerpost";
import { lastEventIdOf } from "fingerpost/events";
import { z } from "zod";
import { Change } from "./schemas.ts";
import { me, session, StoredResource } from "./stored-resource.ts";

/** Changes of your notes as they happen: by a WebSocket, or as events where none passes. */
export class Live extends StoredResource {
  paths = ["/live"] as const;

  static GET = {
    summary: "Changes of your notes",
    scopes: ["notes:read"],
    101: socket({ receives: z.never(), sends: Change }),
    200: events(Change),
  };
  GET(call: Call<typeof Live, "GET">): Answer<typeof Live, "GET"> {
    if (!call.isHandshake) return this.#changes(call, call.signal);
    return reply(101, { open: (peer) => this.#tell(peer, call) }, { until: session.get(call).endsAt });
  }

  async #tell(peer: Peer<z.output<typeof Change>>, call: Call<typeof Live, "GET">) {
    for await (const { data } of this.#changes(call, peer.signal)) peer.send(data);
  }

  async *#changes(call: Call<typeof Live, "GET">, signal?: AbortSignal) {
    const { id } = me.get(call);
    for await (const change of this.services.changes.listen(signal, { after: lastEventIdOf(call.request) }))
      if (change.data.owner === id) yield change;
  }
}
