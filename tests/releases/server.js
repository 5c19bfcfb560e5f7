// A process of one release: it serves what keeps something between requests, by the stores of another process, and
// prints its two ports.
import { z } from "zod";

const [library, store] = process.argv.slice(2);
const { native, semantics, idempotency, pagesBy, rateLimit, serve, sessions, ...hooks } = await import(library);
const verifyWebhook = hooks.verifyWebhook ?? hooks.webhook;

async function ask(name, ...args) {
  const response = await fetch(`${store}/${name}`, { method: "POST", body: JSON.stringify(args) });
  if (!response.ok) throw new Error(`${name}() failed`);
  return response.json();
}
const storeOf = (kind, names) =>
  Object.fromEntries(names.map((name) => [name, (...args) => ask(`${kind}/${name}`, ...args)]));
const records = storeOf("records", ["find", "begin", "extend", "finish", "release"]);
const kept = storeOf("sessions", ["find", "begin", "replace", "delete", "list"]);
const limiter = {
  points: 5,
  duration: 60,
  async consume(name) {
    const left = await ask("limits/consume", name);
    // As rate-limiter-flexible refuses.
    if (left.remainingPoints === 0) throw left;
    return left;
  },
};

/** What a handler does: the process of the stores counts it, and may have it wait. */
const act = (what) => ask("effects/act", what);
// The release before said it by other words.
const scope = () => "ada";
const [owner, required, key] = library.endsWith("before.mjs")
  ? [{ scope }, "required", "key"]
  : [{ ownerOf: scope }, true, "keyOf"];
const session = new native.Attribute("session");
const sealed = new native.Attribute("sealed");
const schema = z.object({ user: z.string() });
const secrets = ["a secret of 32 bytes and of some more"];

class Payments extends native.Resource {
  paths = ["/accounts/:id/payments"];
  async POST(request) {
    return new Response(await act(`pay ${await request.text()}`), { status: 201 });
  }
}
class Hooks extends native.Resource {
  paths = ["/hooks/:tenant"];
  async POST(request) {
    return new Response(await act(`hook ${await request.text()}`));
  }
}
class OwnHooks extends native.Resource {
  paths = ["/own/:tenant"];
  async POST(request) {
    return new Response(await act(`own ${await request.text()}`));
  }
}
const sessionOf = (attribute, path) =>
  class extends native.Resource {
    paths = [path];
    GET(request) {
      return Response.json(attribute.get(request).data);
    }
    async POST(request) {
      await attribute.get(request).start({ user: await request.text() });
      return new Response(null, { status: 204 });
    }
    async PUT(request) {
      const user = await request.text();
      // A sealed one is written anew.
      const own = attribute.get(request);
      await (own.update?.(() => ({ user })) ?? own.start({ user }));
      return new Response(null, { status: 204 });
    }
    async DELETE(request) {
      await attribute.get(request).end();
      return new Response(null, { status: 204 });
    }
  };
const itemsOf = (path, options) => {
  const pages = pagesBy(z.object({ id: z.number() }), { limit: 1, ...options });
  return class extends native.Resource {
    paths = [path];
    async GET(request) {
      const { after } = await pages.read(request);
      const id = (after?.id ?? 0) + 1;
      return Response.json((await pages.write(request, { items: [id], next: { id } })).content);
    }
  };
};
class Limited extends native.Resource {
  paths = ["/limited"];
  GET() {
    return new Response("within");
  }
}
const behind = (middleware, ...resources) =>
  native.ResourceGroup.builder()
    .resources(...resources)
    .middleware(middleware)
    .build();
const hookSecrets = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"];
const app = native.Application.builder()
  .resources(
    behind(idempotency({ store: records, ...owner }), Payments),
    behind(verifyWebhook({ scheme: "standard", secrets: hookSecrets, store: records }), Hooks),
    behind(verifyWebhook({ scheme: (request) => request.headers.get("x-id"), store: records }), OwnHooks),
    behind(sessions({ session, schema, store: kept }), sessionOf(session, "/session")),
    behind(sessions({ session: sealed, schema, secrets, cookie: "sealed" }), sessionOf(sealed, "/sealed")),
    itemsOf("/accounts/:id/items", {}),
    itemsOf("/accounts/:id/signed", { secrets }),
    behind(rateLimit({ limiter, [key]: () => "192.0.2.1" }), Limited),
  )
  .build();

class Declared extends semantics.Resource {
  paths = ["/accounts/:id/payments"];
  static POST = { idempotency: required, content: semantics.text(), 201: semantics.text() };
  async POST({ content }) {
    return semantics.reply(201, await act(`pay ${content}`));
  }
}
const declared = semantics.Application.builder()
  .resources(Declared)
  .idempotency({ store: records, ...owner })
  .build();

const ports = [];
for (const one of [app, declared]) ports.push((await serve(one, { port: 0 })).address().port);
process.stdout.write(`${JSON.stringify(ports)}\n`);
// The end of the process that started this one.
process.stdin.resume().on("end", () => process.exit());
