// Express 5: npm install express, then node examples/express/main.js
import { once } from "node:events";
import express from "express";
import { listener } from "fingerpost/node";
import { application } from "../greetings/polyfill.js";

const handle = listener(application);
const app = express();

// Paths that no resource has go on to the routes of Express. Parsers of content belong behind this: they would read it
// first.
app.use((request, response, next) => {
  if (application.match(request).resource === undefined) next();
  else handle(request, response);
});
app.get("/express", (_request, response) => response.send("Express itself\n"));

const server = app.listen(Number(process.env.PORT ?? 3000), "127.0.0.1");
await once(server, "listening");
console.log(`http://127.0.0.1:${server.address().port}/hello/Ada`);
