// Fastify 5: npm install fastify, then node examples/fastify/main.js
import Fastify from "fastify";
import { listener } from "fingerpost/node";
import { application } from "../greetings/polyfill.js";

const handle = listener(application);
const fastify = Fastify();

fastify.get("/fastify", () => "Fastify itself\n");
fastify.register((scope, _options, done) => {
  // Resources read content themselves.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", (_request, _content, next) => next(null));
  scope.all("/*", (request, reply) => {
    reply.hijack();
    // What plugins, such as @fastify/cors, have set.
    for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value);
    handle(request.raw, reply.raw);
  });
  done();
});

console.log(`${await fastify.listen({ port: Number(process.env.PORT ?? 3000), host: "127.0.0.1" })}/hello/Ada`);
