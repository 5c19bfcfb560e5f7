// What bench/middleware.js measures: for each row a handler without middleware, and the same inside of each.
import { SignJWT } from "jose";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { dist } from "./dist.js";

const from = async (path) => import(new URL(path, dist).href);
const { Application, Resource, ResourceGroup } = await from("modules/http.native.js");
const make = async (entry, name, ...options) => (await from(`middleware/${entry}.js`))[name](...options);

const { Attribute } = await from("modules/http.native.js");
const { sessions, signedIn } = await from("state/sessions.js");
const { idempotency } = await from("state/idempotency.js");
const { memoryRecords, memorySessions } = await from("state/stores.js");

const key = new Uint8Array(32).fill(7);
const issuer = "https://issuer.example";
const audience = "https://api.example";
const signer = new SignJWT({ iss: issuer, aud: audience, exp: 4_000_000_000 }).setProtectedHeader({ alg: "HS256" });
const token = await signer.sign(key);
const text = "A text that is worth compressing. ".repeat(300);
const kilobyte = "x".repeat(1024);

class Items extends Resource {
  paths = ["/items/:id"];
  produces = ["text/plain", "application/json"];

  GET() {
    return new Response("A short response");
  }

  async PUT(request) {
    return new Response(String((await request.text()).length));
  }
}

class Texts extends Resource {
  paths = ["/texts/:id"];

  GET() {
    return new Response(text);
  }
}

const headers = { origin: "https://app.example", "accept-encoding": "gzip", accept: "text/plain, */*;q=0.1" };
const withAuthorization = (authorization) => ({ headers: { ...headers, authorization } });
const limiter = new RateLimiterMemory({ points: 1e9, duration: 60 });

/** A session that a guard reads, and a request with its cookie. */
async function session(options) {
  const attribute = new Attribute("session");
  const validate = (value) => ({ value });
  const schema = { "~standard": { version: 1, vendor: "bench", validate } };
  const keeping = sessions({ session: attribute, schema, idleMs: 43_200_000, ...options });
  class SignIn extends Resource {
    paths = ["/session"];

    async POST(request) {
      await attribute.get(request).start({ user: "ada" });
      return new Response();
    }
  }
  const app = Application.builder().resources(SignIn).middleware(keeping).build();
  const begun = await app.request("/session", { method: "POST" });
  const [cookie] = begun.headers.get("set-cookie").split(";");
  return {
    path: "/items/7",
    init: { headers: { ...headers, cookie } },
    middleware: [keeping, signedIn({ session: attribute })],
  };
}

const records = memoryRecords({ maxRecords: 1e9 });
let writes = 0;

/** Rows of candidates: what each asks for, how it is asked, and the middleware. */
export const rows = {
  "GET, 16 bytes": {
    none: { path: "/items/7" },
    secureHeaders: { path: "/items/7", middleware: await make("secure-headers", "secureHeaders") },
    requestId: { path: "/items/7", middleware: await make("request-id", "requestId") },
    cookies: { path: "/items/7", middleware: await make("cookies", "cookies") },
    cors: { path: "/items/7", middleware: await make("cors", "cors", { origin: "https://app.example" }) },
    csrf: { path: "/items/7", middleware: await make("csrf", "csrf") },
    negotiate: { path: "/items/7", middleware: await make("negotiate", "negotiate") },
    log: { path: "/items/7", middleware: await make("log", "log", { write() {} }) },
    trace: { path: "/items/7", middleware: await make("trace", "trace") },
    timeout: { path: "/items/7", middleware: await make("timeout", "timeout", { timeoutMs: 60_000 }) },
    rateLimit: { path: "/items/7", middleware: await make("rate-limit", "rateLimit", { limiter, key: () => "ada" }) },
    basic: {
      path: "/items/7",
      init: withAuthorization(`Basic ${btoa("ada:analytical engine")}`),
      middleware: await make("basic", "basic", { realm: "x", users: { ada: "analytical engine" } }),
    },
    bearer: {
      path: "/items/7",
      init: withAuthorization("Bearer ada-token"),
      middleware: await make("bearer", "bearer", { tokens: { "ada-token": "Ada" } }),
    },
    jwt: {
      path: "/items/7",
      init: withAuthorization(`Bearer ${token}`),
      middleware: await make("jwt", "jwt", { key, algorithms: ["HS256"], issuer, audience }),
    },
    "session in memory": await session({ store: memorySessions() }),
    "session sealed": await session({ secrets: ["32 bytes or more, not in the repository"] }),
  },
  "GET, 10 kB of text": {
    none: { path: "/texts/7" },
    conditional: { path: "/texts/7", middleware: await make("conditional", "conditional") },
    compress: { path: "/texts/7", middleware: await make("compress", "compress", { codings: ["gzip"] }) },
  },
  "PUT, 1 kB": {
    none: { path: "/items/7", init: { method: "PUT", body: kilobyte } },
    bodyLimit: {
      path: "/items/7",
      init: { method: "PUT", body: kilobyte },
      middleware: await make("body-limit", "bodyLimit", { maxBytes: 4096 }),
    },
    "bodyLimit, streaming": {
      path: "/items/7",
      init: { method: "PUT", body: kilobyte },
      middleware: await make("body-limit", "bodyLimit", { maxBytes: 4096, stream: true }),
    },
    idempotency: {
      path: "/items/7",
      // Each write has a key of its own.
      init: () => ({ method: "PUT", body: kilobyte, headers: { "idempotency-key": String((writes += 1)) } }),
      middleware: idempotency({ store: records, ownerOf: () => "ada", ttlMs: 60_000 }),
    },
  },
};

/** How a candidate answers, its content read to the end: some of the work is done only then. */
export function handleOf({ middleware }) {
  const group = ResourceGroup.builder().resources(Items, Texts);
  const { fetch } = Application.builder()
    .resources(middleware === undefined ? group.build() : group.middleware(...[middleware].flat()).build())
    .build();
  return async (request) => {
    const response = await fetch(request);
    await response.arrayBuffer();
    return response;
  };
}

export function requestOf({ path, init = { headers } }) {
  return new Request(`http://localhost${path}`, typeof init === "function" ? init() : init);
}
