import fastifyStatic from "@fastify/static";
import createApp from "fastify";

export async function start(port, root) {
  const app = createApp();
  app.register(fastifyStatic, { root });
  await app.listen({ port });
}
