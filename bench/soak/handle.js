// 10,000,000 distinct URLs through handle(): nothing may be kept by what a client sends.
import * as native from "../../dist/modules/http.native.js";
import * as polyfill from "../../dist/modules/http.polyfill.js";
import { growthOf, scale, soak } from "./growth.js";

/** An application with every kind of segment, with and without middleware. */
function applicationOf({ Application, Middleware, Resource, ResourceGroup }) {
  class Pass extends Middleware {
    ALL(input) {
      return this.next(input);
    }
  }
  class Plain extends Resource {
    paths = ["/static", "/users/:id", "/files/*", "/:name.:ext", "/o/:a?/:b?/:c?"];
    GET({ params }) {
      return params.pathParam("id") ?? params.queryParam("q") ?? params.pattern;
    }
  }
  class Guarded extends Resource {
    paths = ["/n/:id(\\d+)", "/x/(\\w+)/y"];
    GET({ params }) {
      return params.pathParam("id") ?? params.pathParam("0") ?? "";
    }
  }
  const group = ResourceGroup.builder().resources(Guarded).prefix("/g").middleware(Pass).build();
  return Application.builder().resources(Plain, group).build();
}

const kinds = [
  (i) => `/static?q=${i}`,
  (i) => `/users/${i}`,
  (i) => `/files/a/${i}/b`,
  (i) => `/file${i}.txt`,
  (i) => `/o/${i}/b`,
  (i) => `/g/n/${i}`,
  (i) => `/g/x/w${i}/y`,
  (i) => `/users/%61${i}`,
  (i) => `/x/../users/${i}/`,
  (i) => `/nothing/${i}`,
];

const swallow = () => {};

async function send(app, inputOf, from, count) {
  for (let i = from; i < from + count; i++) {
    const answer = app.handle(inputOf(kinds[i % kinds.length](i)));
    // Waiting for each would cost most of the time; a thousand under way at once is what servers have.
    if (i % 1000 === 0) await answer.catch(swallow);
    else answer.catch(swallow);
  }
}

const contextOf = (url) => ({ url, method: "GET", request: null, response: null });
const requestOf = (url) => new Request(`http://localhost${url}`);

const run = (app, inputOf) => (total) => growthOf(total, (from, count) => send(app, inputOf, from, count));

/** The mistake that is looked for: a cache with the URL as key. */
const leaky = (app, inputOf) => (total) => {
  const cache = new Map();
  return growthOf(total, async (from, count) => {
    await send(app, (url) => (cache.set(url, url.length), inputOf(url)), from, count);
  });
};

const one = applicationOf(polyfill);
await soak(
  "distinct URLs through handle() of contexts",
  10_000_000 * scale,
  run(one, contextOf),
  leaky(one, contextOf),
);
const other = applicationOf(native);
await soak(
  "distinct URLs through handle() of Requests",
  1_000_000 * scale,
  run(other, requestOf),
  leaky(other, requestOf),
);
