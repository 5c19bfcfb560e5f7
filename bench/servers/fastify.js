import createApp from "fastify";
import { answer, serverRoutes } from "../lib/server-routes.js";

export async function start(port) {
  const app = createApp();
  for (const { method, pattern, name } of serverRoutes) {
    const param = name === "0" ? "*" : name;
    app.route({
      method,
      url: pattern,
      handler(request, reply) {
        reply.header("content-type", "text/plain").send(answer(param === undefined ? "" : request.params[param]));
      },
    });
  }
  await app.listen({ port });
}
