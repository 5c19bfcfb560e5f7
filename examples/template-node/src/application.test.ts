import assert from "node:assert/strict";
import { test } from "node:test";
import app from "./application.ts";

const ask = (path: string) => app.request(path);

test("greets by name, or the world", async () => {
  assert.equal(await (await ask("/hello/Ada")).text(), "Hello, Ada\n");
  assert.equal(await (await ask("/hello")).text(), "Hello, World\n");
});

test("has nothing else", async () => {
  assert.equal((await ask("/goodbye")).status, 404);
});
