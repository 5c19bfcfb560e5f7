// Koa 3: npm install koa, then node examples/koa/main.js
import { once } from "node:events";
import { listener } from "fingerpost/node";
import Koa from "koa";
import { application } from "../greetings/polyfill.js";

const handle = listener(application);
const koa = new Koa();

// By default Koa prints what clients do to their connections, too.
koa.on("error", (error, context) => {
  if (!context.socket.destroyed) console.error(error);
});

// Paths that no resource has go on to the middleware behind this.
koa.use((context, next) => {
  if (application.match(context).resource === undefined) return next();
  context.respond = false;
  // Koa begins with 404.
  context.res.statusCode = 200;
  return handle(context.req, context.res);
});
koa.use((context) => {
  if (context.url === "/koa") context.body = "Koa itself\n";
});

const server = koa.listen(Number(process.env.PORT ?? 3000), "127.0.0.1");
await once(server, "listening");
console.log(`http://127.0.0.1:${server.address().port}/hello/Ada`);
