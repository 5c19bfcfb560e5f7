import { followsOf } from "../dispatch/followed-end.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";
import { after, isThenable } from "../http/javascript/thenable.ts";
import { changedFor, isRepeated } from "../sockets/accepted.ts";
import { accept } from "../sockets/switching.ts";
import { Connection } from "../sockets/connection.ts";
import { checkHandshake, isHandshake, upgradeRequired } from "../sockets/handshake.ts";
import { rawMessages, type MessageFormat, type ReadMessage } from "../sockets/messages.ts";
import { checkHandlers } from "../sockets/peer.ts";
import { socketOptions, socketRules, type UpgradeOptions } from "../sockets/socket-options.ts";
import { topicsOf } from "../sockets/topics.ts";
import { described } from "../http/javascript/described.ts";
import { isRawContent, isTakenLater } from "./declaration/raw-content.ts";
import type { SocketContent, SocketSide } from "./declaration/socket-content.ts";
import { isSchema, type StandardSchema } from "../json-schema/shape/standard-schema.ts";
import { AnswerMedium } from "./operation/answer-model.ts";
import { Conversions } from "../json-schema/library/conversions.ts";
import { failuresOf } from "../json-schema/library/issues.ts";
import { validated } from "../json-schema/shape/validation.ts";

/** What `socket()` takes: the messages of both directions, and limits. */
export interface SocketOptions<Receives extends SocketSide, Sends extends SocketSide> extends Omit<
  UpgradeOptions,
  "until"
> {
  /** The messages that peers send: a schema of JSON, `text()` or `bytes()`. */
  readonly receives: Receives;
  /** The messages that handlers send: a schema of JSON, `text()` or `bytes()`. */
  readonly sends: Sends;
}

/**
 * Declares that a GET is answered by a WebSocket: `static GET = { 101: socket({ receives, sends }) }`.
 *
 * A WebSocket begins as a GET, so the guards, params and refusals of the resource apply. The handler accepts with
 * `reply(101, { open, message, close })`. Messages are checked by their schemas, both ways. Another GET gets 426,
 * unless the operation declares 200 as well; then `call.isHandshake` distinguishes them.
 *
 * @throws {TypeError} when a side or an option is wrong.
 * @example
 * ```ts
 * class Echo extends Resource {
 *   paths = ["/echo"] as const;
 *
 *   static GET = { 101: socket({ receives: z.object({ say: z.string() }), sends: z.object({ heard: z.string() }) }) };
 *   GET(): Answer<typeof Echo, "GET"> {
 *     return reply(101, { message: (peer, { say }) => peer.send({ heard: say }) });
 *   }
 * }
 * const app = Application.builder().resources(Echo).build();
 * console.log((await app.request("/echo")).status); // 426
 * ```
 */
export function socket<Receives extends SocketSide, Sends extends SocketSide>(
  declared: SocketOptions<Receives, Sends>,
): SocketContent<Receives, Sends> {
  const names = ["receives", "sends", ...socketOptions.filter((name) => name !== "until")] as const;
  const check = new OptionCheck<SocketOptions<Receives, Sends>>("socket", declared, names as never);
  const { receives, sends } = check.options;
  for (const [name, side] of [
    ["receives", receives],
    ["sends", sends],
  ] as const) {
    check.require(isSide(side), name, "a schema, text() or bytes()", side);
  }
  const rules = socketRules(check as unknown as OptionCheck<UpgradeOptions>);
  const conversions = new Conversions();
  const read = readBy(receives);
  const writerFor = (name: string, isChecked: boolean): MessageFormat => writtenBy(sends, name, isChecked, conversions);
  return Object.freeze({
    kind: "socket",
    receives,
    sends,
    check(request, method, isOptional) {
      if (isHandshake(request, method)) return checkHandshake(request, rules);
      if (isOptional) return null;
      throw upgradeRequired();
    },
    writerFor,
    accept({ request, mounted, name, handlers, protocol, options, isChecked, onError }) {
      if (protocol === null) {
        throw new TypeError(
          `Cannot answer GET of ${name} with 101: the request is not a handshake; check call.isHandshake`,
        );
      }
      const { until } = socketRules(new OptionCheck<Pick<UpgradeOptions, "until">>("reply", options ?? {}, ["until"]));
      const checked = checkHandlers(handlers, name);
      const topics = topicsOf(mounted, () => writerFor(name, isChecked), isRepeated(request));
      const { maxBytes, maxMessagesPerSecond } = rules;
      const connection = new Connection(
        changedFor(request, {
          handlers: checked,
          receives: read,
          sends: topics.sends,
          topics,
          maxBytes,
          maxMessagesPerSecond,
          protocol,
          until,
          onError,
          follows: followsOf(request),
        }),
      );
      return accept(request, {
        connection,
        protocol,
        maxBytes,
        receivesJson: !isRawContent(receives),
        sendsJson: !isRawContent(sends),
      });
    },
  } satisfies SocketContent<Receives, Sends>);
}

function isSide(side: unknown): side is SocketSide {
  return (
    isSchema(side) || (isRawContent(side) && (side.kind === "text" || side.kind === "bytes") && !isTakenLater(side))
  );
}

function readBy(side: SocketSide): MessageFormat {
  if (isRawContent(side)) return { ...rawMessages, isBinary: side.kind === "bytes" };
  const schema = side as StandardSchema;
  const { vendor } = schema["~standard"];
  return {
    ...rawMessages,
    isBinary: false,
    read(text) {
      let sent: unknown;
      try {
        sent = JSON.parse(text as string);
      } catch {
        return { errors: [{ pointer: "#", detail: "Expected JSON" }] };
      }
      return after(validated(schema, sent), ({ issues, ...outcome }): ReadMessage => {
        if (issues === undefined) return { value: (outcome as { readonly value: unknown }).value };
        return {
          errors: failuresOf("content", { vendor, schema, sent, issues }).map(({ pointer, detail }) => ({
            pointer,
            detail,
          })),
        };
      }) as ReadMessage;
    },
  };
}

function writtenBy(side: SocketSide, name: string, isChecked: boolean, conversions: Conversions): MessageFormat {
  if (isRawContent(side)) {
    const isBinary = side.kind === "bytes";
    return {
      ...rawMessages,
      write(value) {
        if (isBinary ? ArrayBuffer.isView(value) : typeof value === "string") return rawMessages.write(value);
        throw new TypeError(
          `Cannot send a message of ${name}: expected ${isBinary ? "bytes" : "a string"}, got ${described(value)}`,
        );
      },
    };
  }
  const schema = side as StandardSchema;
  const { vendor, validate } = schema["~standard"];
  // Messages are written like answers: only members that the JSON Schema names.
  const writer = new AnswerMedium(
    { type: "application/json", isRange: false, schema, raw: null, isJson: true },
    conversions,
  ).writer!;
  const unfit = (faults: readonly { readonly pointer: string; readonly detail: string }[]): TypeError => {
    const places = faults.slice(0, 3).map(({ pointer, detail }) => `${pointer} (${detail})`);
    return new TypeError(`Cannot send a message of ${name}: it does not fit at ${places.join(", ")}`);
  };
  return {
    ...rawMessages,
    write(value) {
      let fitting = value;
      if (isChecked || writer.isPartial) {
        const outcome = validate(value);
        if (isThenable(outcome)) {
          throw new TypeError(`Cannot send a message of ${name}: its schema is asynchronous; write one that is not`);
        }
        if (outcome.issues !== undefined)
          throw unfit(failuresOf("content", { vendor, sent: value, issues: outcome.issues }));
        fitting = outcome.value;
      }
      const text = writer.write(fitting);
      if (typeof text === "string") return text;
      throw unfit(text);
    },
  };
}
