import { os } from "@orpc/server";
import { RPCHandler } from "@orpc/server/fetch";
import { mount } from "fingerpost/mount";
import { HTTPError } from "fingerpost/native";
import { z } from "zod";
import { guard, user } from "./user.js";

const router = {
  greet: os.input(z.object({ word: z.string() })).handler(({ input, context }) => `${input.word} ${context.user}`),
};
const handler = new RPCHandler(router);

async function answer(request) {
  const { matched, response } = await handler.handle(request, {
    prefix: "/orpc",
    context: { user: user.get(request) },
  });
  if (!matched) throw new HTTPError(404);
  return response;
}

export class Orpc extends mount(["/orpc/:path*"], answer) {
  static middleware = [guard];
}
