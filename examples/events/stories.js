import { Application, events, reply, Resource } from "fingerpost";
import { lastEventIdOf } from "fingerpost/events";
import { z } from "zod";

/** Stories of a feed, which may be this process's own inbox or one that processes share. */
export function stories({ inbox, send }) {
  class Stories extends Resource {
    paths = ["/stories"];

    static GET = { summary: "Tells stories as they are sent", 200: events(z.string()) };
    GET({ request, signal }) {
      return inbox.listen(signal, { after: lastEventIdOf(request) });
    }

    static POST = { summary: "Sends a story", content: z.string(), 204: "All who listen get it" };
    async POST({ content }) {
      await send(content);
      return reply(204);
    }
  }
  return Application.builder().resources(Stories).build();
}
