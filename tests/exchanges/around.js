// What stands around the resources: middleware of the package, of users, and options of the builder.
const origin = "https://app.example";
const basicly = { authorization: `Basic ${btoa("ada:secret")}` };
const bearing = { authorization: "Bearer a" };
const token = { algorithms: ["HS256"], issuer: "i", audience: "a", key: new Uint8Array(32) };
const header = "eyJhbGciOiJIUzI1NiJ9";
const claims = "eyJpc3MiOiJpIiwiYXVkIjoiYSIsImV4cCI6NDAwMDAwMDAwMH0";
const signed = { authorization: `Bearer ${header}.${claims}.ajoByofXbWKtHMix50GEqJtvRzFbWZy0gvSCIf1WV0U` };
const limiter = { points: 5, duration: 60, consume: async () => ({ remainingPoints: 4, msBeforeNext: 60_000 }) };
const full = {
  ...limiter,
  consume: () => Promise.reject(Object.assign({}, { remainingPoints: 0, msBeforeNext: 60_000 })),
};

/**
 * Rows by name: middleware of the application, of a group or of each class, and what the builder is told; `sent` is in
 * each request.
 */
export function aroundsOf({ native, middleware }, note) {
  const { Middleware, HTTPError, Status } = native;
  const { allowedMethods, basic, bearer, bodyLimit, compress, conditional, cookies, cookieJarOf, cors } = middleware;
  const { csrf, jwt, log, negotiate, rateLimit, requestId, secureHeaders, timeout, trace } = middleware;
  const copied = (given) => new Response(given.body, given);

  class Awaits extends Middleware {
    async ALL(request) {
      const given = await this.next(request);
      note(`saw ${given.status} ${[...given.headers.keys()].join(" ")}`);
      return given;
    }
  }
  class Passes extends Middleware {
    ALL(request) {
      return this.next(request);
    }
  }
  class Changes extends Middleware {
    async ALL(request) {
      const response = copied(await this.next(request));
      response.headers.set("X-Changed", "yes");
      response.headers.delete("ETag");
      response.headers.append("Vary", "X-Mine");
      return response;
    }
  }
  class Mutates extends Middleware {
    async ALL(request) {
      const given = await this.next(request);
      given.headers.set("X-Mutated", "yes");
      given.headers.append("Set-Cookie", "a=b");
      return given;
    }
  }
  class Errors extends Middleware {
    ALL(request) {
      this.errorHeaders(request).set("X-Error", "yes");
      return this.next(request);
    }
  }
  class Replaces extends Middleware {
    ALL(request) {
      const copy = new Request(request.url, request);
      copy.headers.set("X-Count", "9");
      return this.next(request, copy);
    }
  }
  class Refuses extends Middleware {
    ALL(request) {
      if (request.method === "PUT") throw new Error("secret");
      if (request.method === "DELETE") throw "text";
      const headers = { "X-Why": "because" };
      throw new HTTPError(Status.Forbidden, "Not you", { headers });
    }
  }
  class Unavailable extends Middleware {
    async ALL() {
      throw new HTTPError(Status.ServiceUnavailable, "Not now", { headers: { "Retry-After": "60" } });
    }
  }
  class Owns extends Middleware {
    ALL(request) {
      if (request.method === "HEAD" || request.method === "OPTIONS") return this.next(request);
      return new Response("mine", { status: 203, statusText: "Mine", headers: { "X-Own": "yes" } });
    }
  }
  class Catches extends Middleware {
    async ALL(request) {
      try {
        return await this.next(request);
      } catch (error) {
        note(`caught ${error?.constructor?.name} ${error?.status} ${error?.message}`);
        return Response.json({ caught: error?.status ?? null }, { status: error?.status ?? 500 });
      }
    }
  }
  class Rethrows extends Middleware {
    async ALL(request) {
      try {
        return await this.next(request);
      } catch (cause) {
        throw new HTTPError(Status.Conflict, "Another one", { cause });
      }
    }
  }
  class Reads extends Middleware {
    async ALL(request) {
      const given = await this.next(request);
      const text = await given.clone().text();
      note(`read ${text.length}`);
      return given;
    }
  }
  class ReadsContent extends Middleware {
    async ALL(request) {
      const text = request.body === null || request.body === undefined ? null : await request.clone().text();
      note(`sent ${text === null ? null : text.length}`);
      return this.next(request);
    }
  }
  class Wrong extends Middleware {
    ALL() {
      return "no response";
    }
  }
  class Twice extends Middleware {
    async ALL(request) {
      if (request.method === "GET") await this.next(request).body?.cancel();
      return this.next(request);
    }
  }
  class OfGet extends Middleware {
    async GET(request) {
      const response = copied(await this.next(request));
      response.headers.set("X-Get", this.resourceOf(request)?.constructor.name ?? "none");
      return response;
    }
  }
  class Mine extends cors({ origins: [origin], credentials: true }) {
    async ALL(request) {
      const given = await super.ALL(request);
      note(`cors ${given.status} ${given.constructor.name}`);
      return given;
    }
  }
  class Kept extends cors({ origins: [origin] }) {}
  class Shorter extends cors({ origins: [origin] }) {
    async ALL(request) {
      const response = copied(await super.ALL(request));
      response.headers.set("X-Shorter", "yes");
      return response;
    }
  }
  const counted = log({
    write: ({ durationMs: _durationMs, ...entry }) => note(`log ${JSON.stringify(entry)}`),
  });
  const guard = bearer({ tokens: { a: "Ada" } });

  return {
    none: {},
    allowedMethods: { middleware: [allowedMethods()] },
    basic: { middleware: [basic({ realm: "x", users: { ada: "secret" } })], sent: basicly },
    "basic, refused": { middleware: [basic({ realm: "x", users: { ada: "secret" } })] },
    bearer: { middleware: [guard], sent: bearing },
    "bearer, refused": { middleware: [bearer({ tokens: { a: "Ada" }, scopes: ["read"], scopesOf: () => [] })] },
    "bearer, of PUT": { middleware: [guard.on("PUT", "DELETE")] },
    bodyLimit: { middleware: [bodyLimit({ maxBytes: 30 })] },
    "bodyLimit, streaming": { middleware: [bodyLimit({ maxBytes: 30, stream: true })] },
    compress: { middleware: [compress({ minBytes: 1, codings: ["gzip"] })], sent: { "accept-encoding": "gzip" } },
    "compress, not asked": { middleware: [compress({ minBytes: 1, codings: ["gzip"] })] },
    conditional: { middleware: [conditional()] },
    "conditional, required": { middleware: [conditional({ requiredMethods: ["PUT"] })] },
    cookies: { middleware: [cookies(), setsCookie(Middleware, cookieJarOf)], sent: { cookie: "sid=abc; theme=dark" } },
    cors: { middleware: [cors({ origins: [origin] })], sent: { origin } },
    "cors, with credentials": {
      middleware: [cors({ origins: [origin], credentials: true, exposeHeaders: ["X-A"] })],
      sent: { origin },
    },
    csrf: { middleware: [csrf({ origins: [origin] })], sent: { origin, "sec-fetch-site": "cross-site" } },
    "csrf, refused": { middleware: [csrf()], sent: { "sec-fetch-site": "cross-site" } },
    jwt: { middleware: [jwt(token)], sent: signed },
    "jwt, refused": { middleware: [jwt(token)], sent: bearing },
    log: { middleware: [counted] },
    negotiate: { middleware: [negotiate()] },
    "negotiate, of types": {
      middleware: [negotiate({ produces: ["application/json"], consumes: ["application/json"] })],
    },
    rateLimit: { middleware: [rateLimit({ limiter, keyOf: () => "somebody" })] },
    "rateLimit, full": { middleware: [rateLimit({ limiter: full, keyOf: () => "somebody" })] },
    requestId: { middleware: [requestId({ trust: true })] },
    secureHeaders: { middleware: [secureHeaders()] },
    timeout: { middleware: [timeout({ timeoutMs: 60_000 })] },
    trace: { middleware: [trace()] },
    Awaits: { middleware: [Awaits] },
    Passes: { middleware: [Passes] },
    Changes: { middleware: [Changes] },
    Mutates: { middleware: [Mutates] },
    Errors: { middleware: [Errors] },
    Replaces: { middleware: [Replaces] },
    Refuses: { middleware: [Refuses] },
    Unavailable: { middleware: [Unavailable] },
    Owns: { middleware: [Owns] },
    Catches: { middleware: [Catches] },
    Rethrows: { middleware: [Rethrows] },
    Reads: { middleware: [Reads] },
    ReadsContent: { middleware: [ReadsContent] },
    Wrong: { middleware: [Wrong] },
    Twice: { middleware: [Twice] },
    OfGet: { middleware: [OfGet] },
    "extends cors, awaits": { middleware: [Mine], sent: { origin } },
    "extends cors, nothing": { middleware: [Kept], sent: { origin } },
    "extends cors, changes": { middleware: [Shorter], sent: { origin } },
    "of a group": { group: [requestId({ trust: true }), secureHeaders()] },
    "of a group, Changes": { group: [Changes] },
    "of a group, Refuses": { group: [Refuses] },
    "of classes": { statics: [guard.on("PUT"), OfGet] },
    "of all three": {
      middleware: [Awaits],
      group: [cors({ origins: [origin] })],
      statics: [Mutates],
      sent: { origin },
    },
    "a stack": {
      middleware: [requestId({ trust: true }), cors({ origins: [origin] }), secureHeaders(), counted],
      group: [guard, negotiate(), compress({ minBytes: 1, codings: ["gzip"] }), conditional()],
      sent: { ...bearing, origin, "accept-encoding": "gzip" },
    },
    "a stack, backward": {
      middleware: [conditional(), compress({ minBytes: 1, codings: ["gzip"] }), guard, counted, secureHeaders()],
      sent: { ...bearing, "accept-encoding": "gzip" },
    },
    "onError, with a response": {
      onError: (error) => new Response(`Sorry: ${error.status ?? "unknown"}`, { status: 418, statusText: "Sorry" }),
    },
    "onError, later": {
      onError: async (error) => Response.json({ sorry: error.status ?? null }, { status: error.status ?? 500 }),
      middleware: [cors({ origins: [origin] })],
      sent: { origin },
    },
    "onError, that throws": {
      onError: () => {
        throw new Error("of onError");
      },
    },
    problems: {
      problems: {
        schema: standard(),
        from: ({ status, title, detail, errors }) => ({ mine: [status, title, detail ?? null, errors?.length ?? 0] }),
      },
    },
    "replies, checked": { replies: "check" },
    "replies, trusted": { replies: "trust" },
    "slashes count": { trailingSlash: "strict" },
  };
}

function setsCookie(Middleware, cookieJarOf) {
  return class SetsCookie extends Middleware {
    ALL(request) {
      cookieJarOf(request).set("seen", cookieJarOf(request).get("sid") ?? "no");
      return this.next(request);
    }
  };
}

/** A Standard Schema that takes everything. */
function standard() {
  return {
    "~standard": {
      version: 1,
      vendor: "exchanges",
      validate: (value) => ({ value }),
      jsonSchema: { input: () => ({}), output: () => ({}) },
    },
  };
}
