import { expect, test } from "bun:test";
import app from "./application.ts";

const ask = (path: string) => app.request(path);

test("greets by name, or the world", async () => {
  expect(await (await ask("/hello/Ada")).text()).toBe("Hello, Ada\n");
  expect(await (await ask("/hello")).text()).toBe("Hello, World\n");
});

test("has nothing else", async () => {
  expect((await ask("/goodbye")).status).toBe(404);
});
