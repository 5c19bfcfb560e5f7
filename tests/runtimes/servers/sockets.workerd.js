// WebSockets of a worker; with `OBJECT`, in one Durable Object, where connections may write to each other.
import { app } from "./sockets.ts";

export class Sockets {
  fetch(request) {
    return app.fetch(request);
  }
}

export default {
  fetch(request, { OBJECT }, context) {
    return OBJECT === undefined ? app.fetch(request, {}, context) : OBJECT.get(OBJECT.idFromName("all")).fetch(request);
  },
};
