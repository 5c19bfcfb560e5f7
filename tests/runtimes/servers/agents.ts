// The applications of examples/conduit and examples/notes, whose tools agents call. Their databases are not of each
// runtime, so the handlers are mocked; all that is in front of handlers is not.
import { Inbox } from "fingerpost/events";
import { mock } from "fingerpost/mock";
import { memorySessions } from "fingerpost/stores";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { app as conduit } from "../../../examples/conduit/described.ts";
import { address } from "../../../examples/conduit/guards.ts";
import { notes } from "../../../examples/notes/server/application.ts";

type Services = Parameters<typeof notes>[0];

const services = {
  sql: () => Promise.resolve([]),
  limiter: new RateLimiterMemory({ points: 1000, duration: 60 }),
  sessions: memorySessions(),
  changes: new Inbox(),
} as unknown as Services;

const mocks = new Map<string, { readonly fetch: (request: Request) => Promise<Response> }>([
  ["conduit", mock(conduit)],
  ["notes", mock(notes(services))],
]);

/** Answers as the application that the first segment of a path names. */
export async function fetch(request: Request): Promise<Response> {
  const url = new URL(request.url);
  const [, name = "", ...rest] = url.pathname.split("/");
  url.pathname = rest.join("/");
  const inner = new Request(url, request);
  address.set(inner, "127.0.0.1");
  return mocks.get(name)!.fetch(inner);
}
