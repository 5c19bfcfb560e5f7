// Durable Objects that hibernate: one for each room.
import { hibernating } from "fingerpost/workers";
import { app, instance } from "./hibernation.ts";

let instances = 0;

export class Sockets {
  #sockets;
  constructor(state) {
    const own = ++instances;
    this.#sockets = hibernating(app, state, { prepare: (request) => instance.set(request, own) });
  }
  fetch(request) {
    return this.#sockets.fetch(request);
  }
  webSocketMessage(socket, message) {
    return this.#sockets.webSocketMessage(socket, message);
  }
  webSocketClose(socket, code, reason) {
    return this.#sockets.webSocketClose(socket, code, reason);
  }
  webSocketError(socket) {
    return this.#sockets.webSocketError(socket);
  }
}

export default {
  fetch(request, { OBJECT }, context) {
    const room = /\/rooms\/(\w+)/.exec(request.url)?.[1];
    return room === undefined ? app.fetch(request, {}, context) : OBJECT.get(OBJECT.idFromName(room)).fetch(request);
  },
};
