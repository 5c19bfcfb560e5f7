import { cookieJarOf } from "fingerpost/middleware/cookies";
import { requestIdOf } from "fingerpost/middleware/request-id";
import {
  Application,
  HTTPError,
  Resource,
  ResourceGroup,
  Status,
  type ContextOf,
} from "fingerpost/modules/http.polyfill.js";
import type { NodeContext } from "fingerpost/node";
import { describe, expect, it } from "vitest";
import { ask, started } from "../support/sockets.ts";
import { all, client, fieldBy, names, onEvery, ordersOf } from "./stacks.ts";

describe("the middleware of both chains around a resource of the polyfill chain", () => {
  const nativeOnly = ["bodyLimit", "compress", "conditional"];

  class Things extends Resource {
    paths = ["/things/:id"];

    GET(context: ContextOf<Things, NodeContext>): unknown {
      cookieJarOf(context).set("seen", "yes");
      if (context.params.pathParam("id") === "0") throw new HTTPError(Status.Conflict);
      return context.response
        .setHeader("content-type", "text/plain")
        .end(`${client.get(context)} ${requestIdOf(context)}`);
    }
  }

  it.each(ordersOf(names.filter((name) => !nativeOnly.includes(name))))(
    "C5.3 works stacked as %s",
    async (_, order) => {
      const classes = all([], 60_000);
      const group = ResourceGroup.builder()
        .resources(Things)
        .middleware(...order.map((name) => classes[name]!))
        .build();
      const server = await started(Application.builder().resources(group).build());
      const send = (path: string, token = "ada-token") => {
        const headers = { authorization: `Bearer ${token}`, origin: "https://app.example", "x-request-id": "id-1" };
        return ask(server, { path, headers });
      };
      const { "strict-transport-security": _secure, ...others } = onEvery;
      const expected = { ...others, "set-cookie": [others["set-cookie"]] };

      const found = await send("/things/7");
      expect([found.status, found.text]).toEqual([200, "Ada id-1"]);
      expect(found.headers).toMatchObject({ ...expected, "content-type": "text/plain", vary: "Origin" });

      const conflict = await send("/things/0");
      expect([conflict.status, JSON.parse(conflict.text)]).toEqual([409, { title: "Conflict", status: 409 }]);
      expect(conflict.headers).toMatchObject({
        ...expected,
        "content-type": "application/problem+json",
        vary: "Origin",
      });

      const refused = await send("/things/7", "x");
      expect([refused.status, refused.headers["www-authenticate"]]).toEqual([
        401,
        'Bearer realm="default", error="invalid_token"',
      ]);
      for (const [name, field] of Object.entries(fieldBy)) {
        expect([name, field in refused.headers]).toEqual([name, order.indexOf(name) < order.indexOf("guard")]);
      }
    },
  );
});
