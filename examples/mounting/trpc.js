import { initTRPC } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { mount } from "fingerpost/mount";
import { z } from "zod";
import { guard, user } from "./user.js";

const t = initTRPC.context().create();
const router = t.router({
  greet: t.procedure.input(z.object({ word: z.string() })).query(({ input, ctx }) => `${input.word} ${ctx.user}`),
  add: t.procedure.input(z.number()).mutation(({ input }) => input + 1),
});

const answer = (req) =>
  fetchRequestHandler({ endpoint: "/trpc", req, router, createContext: () => ({ user: user.get(req) }) });

export class Trpc extends mount(["/trpc/:path*"], answer) {
  static middleware = [guard];
}
