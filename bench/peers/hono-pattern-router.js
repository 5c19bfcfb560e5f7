import { PatternRouter } from "hono/router/pattern-router";
import { router as trieRouter } from "./hono-trie-router.js";

export const router = {
  ...trieRouter,
  build(entries) {
    const router = new PatternRouter();
    for (const { method, path, handler } of entries) router.add(method, path, handler);
    return { router };
  },
};
