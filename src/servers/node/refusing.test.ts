import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { Application } from "../../application/polyfill.ts";
import { listener } from "../node.ts";

async function answered(from: () => { message: string }): Promise<unknown[]> {
  const app = Application.builder()
    .problems({ schema: z.object({ message: z.string() }), type: "application/json", from })
    .build();
  const server = createServer(listener(app)).listen(0);
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const response = await fetch(`http://localhost:${(server.address() as AddressInfo).port}/nowhere`);
  return [response.status, response.headers.get("content-type"), await response.json()];
}

it("C2.7 shapes errors of the polyfill chain as the application says", async () => {
  expect(await answered(() => ({ message: "gone" }))).toEqual([404, "application/json", { message: "gone" }]);
});

it("C2.7 answers with problem details where that shape fails", async () => {
  const print = vi.spyOn(console, "error").mockImplementation(() => {});
  const failed = await answered(() => {
    throw new Error("no shape");
  });
  expect(failed).toEqual([404, "application/problem+json", { title: "Not Found", status: 404 }]);
  expect(print).toHaveBeenCalledWith(new Error("no shape"));
  print.mockRestore();
});
