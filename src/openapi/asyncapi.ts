import { ApplicationFinder, applicationOf } from "../application/application-finder.ts";
import type { MiddlewareClass } from "../application/middleware.ts";
import { Resource, type RequestOf } from "../application/native.ts";
import { answersAlike, describing, refuseAt, type RequestRunner } from "../dispatch/mounted-resource.ts";
import { contentTag } from "../fields/representation.ts";
import { Components } from "./components.ts";
import { describedOperationsOf, type DescribedOperation } from "./described-operation.ts";
import { answer, checkMiddleware, checkPath, type DescribingClass } from "./describing-resource.ts";
import { builtDispatcherOf, type DescribedApplication } from "./document.ts";
import { checkOptions, type DocumentOptions } from "./document-options.ts";
import { operationIdsOf } from "./operation-id.ts";
import { refuseSharedNames } from "./schema-ids.ts";
import { socketMessagesOf, type DescribedMessages } from "./socket-messages.ts";

/**
 * Options of an AsyncAPI document that the application does not know itself.
 *
 * @experimental
 */
export type AsyncDocumentOptions = Pick<DocumentOptions, "title" | "version" | "description" | "only" | "webhooks">;

/**
 * Options of a resource with the AsyncAPI document of its application.
 *
 * @experimental
 */
export interface AsyncAPIOptions extends AsyncDocumentOptions {
  /** The path of the document. Default: `/asyncapi.json`. */
  readonly path?: string | undefined;
  /** Middleware around the resource, outermost first, such as a guard. Default: none. */
  readonly middleware?: readonly MiddlewareClass[] | undefined;
}

/**
 * An AsyncAPI document, as far as it is read by programs: it is JSON.
 *
 * @experimental
 */
export interface AsyncAPIDocument {
  /** The version of AsyncAPI. */
  readonly asyncapi: "3.0.0";
  /** The name and the version of the API. */
  readonly info: { readonly title: string; readonly version: string; readonly description?: string | undefined };
  /** The type of messages that name none. */
  readonly defaultContentType: "application/json";
  /** WebSockets, streams of events and webhooks, by name. */
  readonly channels: { readonly [name: string]: DocumentedChannel };
  /** Actions of the application, by name: it sends or receives. */
  readonly operations: { readonly [name: string]: AsyncAPIOperation };
  /** The schemas that messages refer to. */
  readonly components: { readonly schemas: object };
}

/**
 * A channel of an AsyncAPI document.
 *
 * @experimental
 */
export interface DocumentedChannel {
  /** The path, or null for webhooks: their receivers have it. */
  readonly address: string | null;
  /** Messages by name. */
  readonly messages: {
    readonly [name: string]: { readonly name: string; readonly contentType: string; readonly payload: object };
  };
}

/**
 * An operation of an AsyncAPI document.
 *
 * @experimental
 */
export interface AsyncAPIOperation {
  /** Whether the application sends or receives. */
  readonly action: "send" | "receive";
  /** The channel, by reference. */
  readonly channel: { readonly $ref: string };
  /** The messages, by reference. */
  readonly messages: readonly { readonly $ref: string }[];
  /** The summary of the declaration. */
  readonly summary?: string | undefined;
}

/**
 * Describes the messages of an application as an AsyncAPI 3.0 document: its WebSockets, streams of events, and the
 * webhooks of the options.
 *
 * `receive` is what the application takes, and `send` what it sends.
 *
 * @experimental
 * @throws {TypeError} when an option is wrong, or the application does not have the group of `only`.
 * @throws {TypeError} when two operations have one `operationId`, or two schemas one id.
 * @example
 * ```ts
 * class Echo extends Resource {
 *   paths = ["/echo/:room"] as const;
 *
 *   static GET = { 101: socket({ receives: z.object({ say: z.string() }), sends: z.object({ heard: z.string() }) }) };
 *   GET(): Answer<typeof Echo, "GET"> {
 *     return reply(101, { message: (peer, { say }) => peer.send({ heard: say }) });
 *   }
 * }
 * const app = Application.builder().resources(Echo).build();
 * const { channels } = asyncDocument(app, { title: "Echo", version: "1.0.0" });
 * const { address, messages } = channels["getEcho"]!;
 * console.log(address, Object.keys(messages).join()); // /echo/{room} receives,sends
 * ```
 */
export function asyncDocument(app: DescribedApplication, options: AsyncDocumentOptions): AsyncAPIDocument {
  const dispatcher = builtDispatcherOf(app);
  checkOptions(options);
  return messagesOf(dispatcher, options);
}

/**
 * Makes a resource with the AsyncAPI document of its application, as `openapi()` does with the other one.
 *
 * @experimental
 * @throws {TypeError} when an option is wrong.
 * @example
 * ```ts
 * class Prices extends Resource {
 *   paths = ["/prices"] as const;
 *
 *   static GET = { 200: events(z.object({ cents: z.int() })) };
 *   async *GET() {
 *     yield { cents: 1_500 };
 *   }
 * }
 * const about = { title: "Prices", version: "1.0.0" };
 * const app = Application.builder().resources(Prices, asyncapi(about)).build();
 * const { channels } = await (await app.request("/asyncapi.json")).json();
 * console.log(channels.getPrices.address); // /prices
 * ```
 */
export function asyncapi(options: AsyncAPIOptions): DescribingClass {
  checkOptions(options);
  const { path = "/asyncapi.json", middleware = [], ...about } = options;
  checkPath("path", path);
  checkMiddleware(middleware);
  return class AsyncAPI extends Resource {
    static readonly middleware: readonly MiddlewareClass[] = [...middleware, ApplicationFinder];
    readonly [describing] = "messages";
    readonly [answersAlike] = true;
    paths = [path];
    #written: { readonly bytes: Uint8Array<ArrayBuffer>; readonly etag: string } | null = null;

    /** Refuses what the document would, as far as no schema has to be converted. */
    [refuseAt](_name: string, _patterns: readonly string[], dispatcher: RequestRunner): void {
      refuseSharedNames(dispatcher, about, () => messagesOf(dispatcher, about));
    }

    /** Written for the first request: only then are all resources there. */
    override async GET(request: RequestOf): Promise<Response> {
      if (this.#written === null) {
        const text = `${JSON.stringify(messagesOf(applicationOf(request), about), null, 2)}\n`;
        const bytes = new TextEncoder().encode(text);
        this.#written = { bytes, etag: await contentTag(bytes, "application/json") };
      }
      const { bytes, etag } = this.#written;
      return answer(request, { "cache-control": "no-cache", "content-type": "application/json", etag }, bytes);
    }
  };
}

function messagesOf(dispatcher: RequestRunner, options: AsyncDocumentOptions): AsyncAPIDocument {
  const { title, version, description, only, webhooks = [] } = options;
  const all = describedOperationsOf(dispatcher, only);
  const ids = operationIdsOf(all);
  const components = new Components();
  const channels: Record<string, DocumentedChannel> = {};
  const operations: Record<string, AsyncAPIOperation> = {};
  const add = (id: string, channel: object, summary: string | undefined, messages: Messages): void => {
    const told = summary === undefined ? {} : { summary };
    channels[id] = {
      ...channel,
      messages: Object.fromEntries(
        Object.entries(messages).map(([name, { contentType, schema }]) => [
          name,
          { name: `${id}.${name}`, contentType, payload: schema },
        ]),
      ),
    } as DocumentedChannel;
    for (const name of Object.keys(messages)) {
      operations[`${id}${name[0]!.toUpperCase()}${name.slice(1)}`] = {
        action: name === "receives" ? "receive" : "send",
        channel: { $ref: `#/channels/${id}` },
        ...told,
        messages: [{ $ref: `#/channels/${id}/messages/${name}` }],
      };
    }
  };
  for (const operation of all.flatMap((one) => [one, ...one.rivals])) {
    const { model, template } = operation;
    const { method, mounted, socket, declaration } = model;
    const owner = `${mounted.name} ${method}`;
    const messages: Messages = {
      ...(socket === null ? {} : socketMessagesOf(socket, components, owner)),
      ...eventsOf(operation, components, owner),
    };
    if (Object.keys(messages).length === 0) continue;
    const id = ids.get(operation) ?? `${mounted.name}.${method}.${Object.keys(channels).length}`;
    const names = template.params.map(({ name }) => name);
    add(
      id,
      {
        address: template.text,
        ...(names.length === 0 ? {} : { parameters: Object.fromEntries(names.map((name) => [name, {}])) }),
        ...(socket === null ? {} : { bindings: { ws: { method: "GET", bindingVersion: "0.1.0" } } }),
      },
      declaration.summary,
      messages,
    );
  }
  for (const { name, event, POST } of webhooks) {
    const schema = components.describe(POST.content, "output", `${name} content`);
    add(name, { address: null, title: event }, POST.summary, { sends: { contentType: "application/json", schema } });
  }
  return {
    asyncapi: "3.0.0",
    info: { title, version, ...(description === undefined ? {} : { description }) },
    defaultContentType: "application/json",
    channels,
    operations,
    components: { schemas: components.finish() },
  };
}

type Messages = Readonly<Record<string, DescribedMessages>>;

/** Describes the data of server-sent events that an operation answers with. */
function eventsOf({ model }: DescribedOperation, components: Components, owner: string): Messages {
  const stream = [...model.answers.values()].flatMap(({ media }) => media).find(({ raw }) => raw?.kind === "events");
  const schema = stream?.answered ?? null;
  if (schema === null) return {};
  return {
    events: { contentType: "text/event-stream", schema: components.describe(schema, "output", `${owner} events`) },
  };
}
