import { Application, bytes, reply, Resource, text, written } from "fingerpost";
import { memory } from "fingerpost/files";
import { z } from "zod";
import type { Operation } from "../../src/semantics/declaration/operation.ts";
import { tenMethods } from "./decision.ts";

type Handler = (call: HandlerCall) => unknown;
interface HandlerCall {
  readonly path: Readonly<Record<string, string>>;
  readonly content: unknown;
  readonly contentType: string;
}
type ResourceClass = typeof Resource;

/** A class that implements some methods, each with what it declares; null is for a method without a declaration. */
function resourceOf(
  paths: readonly string[],
  operations: Readonly<Record<string, Operation | null>>,
  handler: Handler,
  validator?: Handler,
): ResourceClass {
  class Declared extends Resource {
    override paths = paths;
  }
  for (const [method, operation] of Object.entries(operations)) {
    Object.defineProperty(Declared.prototype, method, { value: handler });
    if (operation !== null) Object.defineProperty(Declared, method, { value: operation, enumerable: true });
  }
  if (validator !== undefined) Object.defineProperty(Declared.prototype, "validator", { value: validator });
  return Declared;
}

const say =
  (value: unknown): Handler =>
  () =>
    value;

const sayType: Handler = ({ contentType }) => contentType;
/** Counts the bytes of a stream. A method without content has none. */
const count: Handler = async ({ content = [] }) => {
  let size = 0;
  for await (const chunk of content as AsyncIterable<Uint8Array>) size += chunk.length;
  return String(size);
};

const query = z.object({
  n: z.int().min(1).max(99),
  ratio: z.number().optional(),
  on: z.boolean().optional(),
  lang: z.enum(["en", "de"]).optional(),
  tags: z.array(z.string()).optional(),
});
const note = z.object({ text: z.string(), stars: z.int().optional() });
const stored = { 200: text() };

/** Validators by the last segment of a path. */
const states: Readonly<Record<string, unknown>> = {
  current: { etag: '"7"', lastModified: new Date("2026-01-31T12:00:00Z") },
  weak: { etag: 'W/"7"' },
  dated: { lastModified: new Date("2026-01-31T12:00:00Z") },
  none: null,
  unknown: undefined,
};
const stateOf: Handler = ({ path: { state = "" } }) => (Object.hasOwn(states, state) ? states[state] : undefined);
const until = { since: "2026-01-31", sunset: "2027-01-31", link: "https://example.com/end" };
/** No client sends content with the other methods. */
const takesContent = /^(?!(?:GET|HEAD|TRACE|CONNECT)$)/;
const contentless = (operation: Operation | null): Operation | null =>
  operation === null ? null : ({ ...operation, content: undefined } as Operation);
const ten = new TextEncoder().encode("0123456789");

/**
 * An application with a resource for each row's declaration, and those that have some of the methods only.
 *
 * @param implemented the methods that the others have. Default: all.
 */
export function decisionsApplication(
  implemented: readonly string[] = tenMethods,
  onError: (error: unknown) => void = () => {},
): Application {
  const each = (operation: Operation | null, methods = implemented): Record<string, Operation | null> =>
    Object.fromEntries(
      methods.map((method) => [method, takesContent.test(method) ? operation : contentless(operation)]),
    );
  const classes = [
    resourceOf(["/none"], each(null), say({ ok: true })),
    resourceOf(["/none/void"], each(null), say(undefined)),
    resourceOf(["/none/read"], each(null, ["GET"]), say({ ok: true })),
    resourceOf(["/none/write"], each(null, ["POST"]), say({ ok: true })),
    resourceOf(["/none/nothing"], {}, say(null)),
    resourceOf(["/query"], each({ query, ...stored }), say("ok")),
    resourceOf(
      ["/fields"],
      each({
        headers: z.object({ "x-count": z.int(), "x-tag": z.string().optional() }),
        cookies: z.object({ sid: z.string().min(3), size: z.int().optional() }),
        ...stored,
      }),
      say("ok"),
    ),
    resourceOf(["/content/json"], each({ content: note, ...stored }), say("ok")),
    resourceOf(["/content/patch"], each({ content: { "application/merge-patch+json": note }, ...stored }), say("ok")),
    resourceOf(["/content/text"], each({ content: text("text/plain", { maxBytes: 8 }), ...stored }), say("ok")),
    resourceOf(["/content/bytes"], each({ content: bytes("image/png", { maxBytes: 8 }), ...stored }), say("ok")),
    resourceOf(["/content/any"], each({ content: bytes("*/*", { maxBytes: 8 }), ...stored }), sayType),
    resourceOf(
      ["/content/streamed"],
      each({ content: bytes("image/*", { maxBytes: 8, stream: true }), ...stored }),
      count,
    ),
    resourceOf(
      ["/content/stored"],
      each({ content: bytes("image/png", { maxBytes: 8, to: memory() }), ...stored }),
      ({ content }) => String((content as { readonly size: number } | undefined)?.size),
    ),
    resourceOf(
      ["/content/form"],
      each({ content: { "application/x-www-form-urlencoded": query, "multipart/form-data": query }, ...stored }),
      say("ok"),
    ),
    resourceOf(["/content/optional"], each({ content: note.optional(), ...stored }), say("ok")),
    resourceOf(
      ["/media"],
      each({
        200: {
          content: {
            "application/json": z.object({ n: z.int() }),
            "text/csv": written("text/csv", ({ n }: { readonly n: number }) => `n\r\n${n}`),
            "text/html": written("text/html", ({ n }: { readonly n: number }) => `<p>${n}`),
          },
        },
      } as Operation),
      say({ n: 1 }),
    ),
    resourceOf(
      ["/media/taken"],
      each({ content: { "application/json": note, "text/plain": text(), "image/*": bytes() }, ...stored }),
      say("ok"),
    ),
    resourceOf(["/media/stored/:type/:subtype"], each({ 200: bytes("*/*") }), ({ path: { type, subtype } }) =>
      reply(200, ten, { "content-type": `${type}/${subtype}` }),
    ),
    resourceOf(
      ["/media/refused"],
      each({
        204: "None",
        409: { content: { "application/vnd.note+json": z.any(), "application/json": z.any() } },
      } as Operation),
      say(reply(409, { status: 409 })),
    ),
    resourceOf(
      ["/preferred/:status"],
      each({ 200: text(), 201: text(), 202: text(), 204: "None" }),
      ({ path: { status } }) => reply(Number(status), "ok"),
    ),
    resourceOf(["/conditional/:state"], each({ ...stored }), say("ok"), stateOf),
    resourceOf(["/required/:state"], each({ precondition: true, ...stored }), say("ok"), stateOf),
    resourceOf(
      ["/cache/:state"],
      each({ cache: "max-age=60", deprecated: until, query: query.partial(), ...stored }),
      say("ok"),
      stateOf,
    ),
    resourceOf(["/tagged"], each({ cache: "no-cache", etag: "content", ...stored }), say("ok")),
    resourceOf(["/ranges"], each({ 200: bytes("image/png") }), say(ten), say(states["current"])),
    resourceOf(["/ranges/read"], each({ 200: bytes("image/png") }, ["GET"]), say(ten)),
    resourceOf(["/ranges/text"], each({ 200: text() }), say("0123456789")),
    resourceOf(["/at/x", "/at/y/:id"], each({ at: ["/at/x"], ...stored }), say("ok")),
    resourceOf(
      ["/at/list", "/at/one/:id"],
      {
        ...each({ at: ["/at/list"], ...stored }, ["POST", "QUERY"]),
        ...each({ at: ["/at/one/:id"], ...stored }, ["PUT", "PATCH", "DELETE"]),
        GET: { ...stored },
      },
      say("ok"),
    ),
  ];
  return Application.builder()
    .resources(...classes)
    .onError(onError)
    .build();
}
