// One server of WebSockets by one library, on the runtime that runs it: /echo sends back what it gets, /room sends it
// to all others. It says where it listens.
const [name] = process.argv.slice(2);
const isBun = "Bun" in globalThis;
const isDeno = "Deno" in globalThis;
const hostname = "127.0.0.1";
const isRoom = (url) => new URL(url, "http://h").pathname === "/room";

/** The sockets of a room, for those that have no topics. */
const room = new Set();
const others = (from, text) => {
  for (const one of room) if (one !== from) one.send(text);
};

const servers = {
  async fingerpost() {
    const { Application, reply, Resource, socket, text } = await import("../../dist/modules/http.semantics.js");
    const messages = socket({ receives: text(), sends: text(), maxMessagesPerSecond: 10_000_000 });
    class Echo extends Resource {
      paths = ["/echo"];
      static GET = { 101: messages };
      GET() {
        return reply(101, { message: (peer, message) => peer.send(message) });
      }
    }
    class Room extends Resource {
      paths = ["/room"];
      static GET = { 101: messages };
      GET() {
        return reply(101, {
          open: (peer) => peer.subscribe("all"),
          message: (peer, message) => peer.publish("all", message),
        });
      }
    }
    const app = Application.builder().resources(Echo, Room).build();
    if (isBun) return Bun.serve({ fetch: app.fetch, websocket: app.websocket, port: 0, hostname }).port;
    if (isDeno) return Deno.serve({ port: 0, hostname, onListen() {} }, app.fetch).addr.port;
    const { serve } = await import("../../dist/servers/node.js");
    return (await serve(app, { port: 0, hostname })).address().port;
  },
  /** What the runtime has, or ws on Node, and nothing else. */
  async runtime() {
    if (isBun) {
      const fetch = (request, server) => void server.upgrade(request, { data: isRoom(request.url) });
      const websocket = {
        open: (ws) => void (ws.data && ws.subscribe("all")),
        message: (ws, text) => void (ws.data ? ws.publish("all", text) : ws.send(text)),
      };
      return Bun.serve({ fetch, websocket, port: 0, hostname }).port;
    }
    if (isDeno) {
      const answer = (request) => {
        const { socket, response } = Deno.upgradeWebSocket(request);
        if (isRoom(request.url)) join(socket);
        else socket.addEventListener("message", ({ data }) => socket.send(data));
        return response;
      };
      return Deno.serve({ port: 0, hostname, onListen() {} }, answer).addr.port;
    }
    const { WebSocketServer } = await import("ws");
    const server = await listening((await import("node:http")).createServer());
    const sockets = new WebSocketServer({ server, perMessageDeflate: false, clientTracking: false });
    sockets.on("connection", (ws, { url }) => {
      if (isRoom(url)) join(ws);
      else ws.on("message", (data) => ws.send(data.toString()));
    });
    return server.address().port;
  },
  async crossws() {
    const hooks = {
      open: (peer) => void (isRoom(peer.request.url) && peer.subscribe("all")),
      message: (peer, message) => {
        if (isRoom(peer.request.url)) peer.publish("all", message.text());
        else peer.send(message.text());
      },
    };
    if (isBun) {
      const { websocket, handleUpgrade } = (await import("crossws/adapters/bun")).default({ hooks });
      return Bun.serve({ fetch: handleUpgrade, websocket, port: 0, hostname }).port;
    }
    if (isDeno) {
      const { handleUpgrade } = (await import("crossws/adapters/deno")).default({ hooks });
      const options = { port: 0, hostname, onListen() {} };
      return Deno.serve(options, (request, info) => handleUpgrade(request, info)).addr.port;
    }
    const { handleUpgrade } = (await import("crossws/adapters/node")).default({ hooks });
    const server = await listening((await import("node:http")).createServer());
    server.on("upgrade", (request, socket, head) => void handleUpgrade(request, socket, head));
    return server.address().port;
  },
  async hono() {
    const { Hono } = await import("hono");
    const app = new Hono();
    const events = (path) => ({
      onOpen: (_event, ws) => void (path === "/room" && room.add(ws)),
      onMessage: ({ data }, ws) => {
        if (path === "/echo") return ws.send(data);
        for (const one of room) if (one.raw !== ws.raw) one.send(data);
      },
    });
    const add = (upgradeWebSocket) => {
      for (const path of ["/echo", "/room"])
        app.get(
          path,
          upgradeWebSocket(() => events(path)),
        );
    };
    if (isBun) {
      const { upgradeWebSocket, websocket } = await import("hono/bun");
      add(upgradeWebSocket);
      return Bun.serve({ fetch: app.fetch, websocket, port: 0, hostname }).port;
    }
    if (isDeno) {
      add((await import("hono/deno")).upgradeWebSocket);
      return Deno.serve({ port: 0, hostname, onListen() {} }, app.fetch).addr.port;
    }
    const { serve, upgradeWebSocket } = await import("@hono/node-server");
    const { WebSocketServer } = await import("ws");
    add(upgradeWebSocket);
    const server = serve({
      fetch: app.fetch,
      port: 0,
      hostname,
      websocket: { server: new WebSocketServer({ noServer: true, perMessageDeflate: false }) },
    });
    if (!server.listening) await new Promise((resolve) => server.once("listening", resolve));
    return server.address().port;
  },
  async fastify() {
    const fastify = (await import("fastify")).default();
    const options = { perMessageDeflate: false, clientTracking: true };
    await fastify.register((await import("@fastify/websocket")).default, { options });
    await fastify.register(async (scope) => {
      scope.get("/echo", { websocket: true }, (ws) => ws.on("message", (data) => ws.send(data.toString())));
      scope.get("/room", { websocket: true }, (ws) => join(ws));
    });
    await fastify.listen({ port: 0, host: hostname });
    return fastify.server.address().port;
  },
  async elysia() {
    const { Elysia } = await import("elysia");
    const app = new Elysia().ws("/echo", { message: (ws, message) => void ws.send(message) }).ws("/room", {
      open: (ws) => void ws.subscribe("all"),
      message: (ws, message) => void ws.publish("all", message),
    });
    app.listen({ port: 0, hostname });
    return app.server.port;
  },
};

function join(ws) {
  room.add(ws);
  if (ws.on === undefined) {
    ws.addEventListener("message", ({ data }) => others(ws, data));
    ws.addEventListener("close", () => room.delete(ws));
    return;
  }
  ws.on("message", (data) => others(ws, data.toString()));
  ws.on("close", () => room.delete(ws));
}

async function listening(server) {
  await new Promise((resolve) => server.listen(0, hostname, resolve));
  return server;
}

console.log(`LISTENING ${await servers[name]()}`);
