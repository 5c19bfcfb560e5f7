// Each framework in an application over sockets, asked by its own client. scripts/check/example-mounting.js installs
// what that takes.
import { existsSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { serve, type NodeApplication } from "fingerpost/node";

const fileOf = (name: string): string => fileURLToPath(new URL(`./${name}`, import.meta.url));
const headers = { authorization: "Bearer k7" };

type Ask = (url: string, fields?: Record<string, string>) => Promise<unknown>;

describe.skipIf(!existsSync(fileOf("node_modules")))(
  "frameworks that are mounted (run by scripts/check/example-mounting.js)",
  () => {
    let url = "";
    let clients: Readonly<Record<string, Ask>> = {};

    beforeAll(async () => {
      const { app } = (await import(fileOf("main.js"))) as { app: NodeApplication };
      clients = (await import(fileOf("clients.js"))) as Record<string, Ask>;
      const stop = new AbortController();
      const server = await serve(app, { port: 0, hostname: "127.0.0.1", signal: stop.signal });
      url = `http://localhost:${(server.address() as AddressInfo).port}`.replace("localhost", "127.0.0.1");
      return () => stop.abort();
    });

    it("answers a batch of tRPC, with the user that a guard found", async () => {
      expect(await clients["trpc"]!(url, headers)).toEqual(["Hello Ada", "Bye Ada", 2]);
    });

    it("answers oRPC", async () => {
      expect(await clients["orpc"]!(url, headers)).toBe("Hello Ada");
      expect((await fetch(`${url}/orpc/none`, { method: "POST", headers })).status).toBe(404);
    });

    it("answers GraphQL by Yoga", async () => {
      expect(await clients["yoga"]!(url, headers)).toEqual({ data: { greet: "Hello Ada" } });
    });

    it("answers by an application of Hono", async () => {
      expect(await clients["hono"]!(url, headers)).toEqual(["Hello Ada", 201, { n: 1 }]);
    });

    it("signs users up by better-auth, and guards resources by its sessions", async () => {
      expect(await clients["betterAuth"]!(url)).toEqual([200, "Ada", 401]);
    });

    it("asks for the token in front of each", async () => {
      for (const path of ["/trpc/greet", "/orpc/greet", "/graphql", "/legacy/greet/Hello"]) {
        for (const method of ["GET", "POST", "OPTIONS"]) {
          expect((await fetch(`${url}${path}`, { method })).status).toBe(401);
        }
      }
    });
  },
);
