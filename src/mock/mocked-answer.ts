import { parseAccept } from "../fields/accept.ts";
import { preferenceOf } from "../fields/prefer.ts";
import { requestField } from "../fields/request-fields.ts";
import { HTTPError } from "../http/protocol/http-error.ts";
import { Status } from "../http/protocol/status.ts";
import { isThenable } from "../http/javascript/thenable.ts";
import { probed, type StandardSchema } from "../json-schema/shape/standard-schema.ts";
import { documentedSchemaOf } from "../openapi/documented-schema.ts";
import { isRawContent } from "../semantics/declaration/raw-content.ts";
import type { SocketSide } from "../semantics/declaration/socket-content.ts";
import { reply, type Reply } from "../semantics/declaration/reply.ts";
import { isNamed, unknownBytes } from "../semantics/declaration/content-sending.ts";
import type { AnswerMedium, AnswerModel } from "../semantics/operation/answer-model.ts";
import type { OperationModel } from "../semantics/operation/operation-model.ts";
import { madeValue, seedOf } from "./made-value.ts";

/** What decides a mocked answer, of all that a handler is called with. */
export interface MockedCall {
  readonly request: Request;
  /** The media type that the client prefers, of those that are declared; empty where none is. */
  readonly mediaType: string;
  /** Whether the request asks for a WebSocket that the operation declares. */
  readonly isHandshake: boolean;
}

/** Answers a request by the declaration of its operation: by an example, or with what is made of the schemas. */
export function mockedAnswer(
  model: OperationModel,
  { request, mediaType, isHandshake }: MockedCall,
  seed: number,
): Reply {
  const owner = `${model.mounted.name} ${model.method}`;
  const prefer = requestField(request, "prefer") ?? "";
  const own = seedOf(`${model.method} ${request.url.replace(/^[a-z]+:\/\/[^/]*/i, "")}`, seed);
  const valueOf: Maker = (schema, more = 0) => {
    const shown = documentedSchemaOf(schema, "output", owner) ?? {};
    const value = madeValue(shown, (one) => takes(schema, one), own + more);
    if (value !== undefined) return value;
    throw new HTTPError(Status.NotImplemented, `${owner} has a schema that no made value fits; declare examples`);
  };
  if (isHandshake) return reply(101, { open: (peer: Peer) => peer.send(messageOf(model.socket!.sends, valueOf)) });
  const answer = answerFor(model, preferenceOf(prefer, "code"));
  if (answer === null) {
    throw new HTTPError(Status.NotImplemented, `${owner} declares no answer that a mock could give`);
  }
  const { status, media, examples } = answer;
  const medium = media.find(({ type }) => type === mediaType) ?? media[0];
  const named = preferenceOf(prefer, "example");
  const [, example] =
    Object.entries(examples ?? {}).find(([name]) => named !== null && name.toLowerCase() === named) ??
    Object.entries(examples ?? {})[0] ??
    [];
  const fields = answer.headers.map(([name, schema]) => [name, String(valueOf(schema))]);
  if (medium?.isRange) fields.push(["content-type", typeOfRange(medium.type, request)]);
  const content = medium === undefined ? undefined : (example ?? contentOf(medium, media, valueOf));
  if (medium !== undefined && content === undefined) {
    throw new HTTPError(
      Status.NotImplemented,
      `${owner} writes ${medium.type} by a function; declare examples of ${status}`,
    );
  }
  // The line makes a cursor of the place. The second page is the last one.
  const isFirst = !/[?&]cursor=/.test(request.url);
  const next = model.page !== null && isFirst ? valueOf(model.page.by) : null;
  const given = model.page !== null && status === 200 ? { ...(content as object), next } : content;
  return reply(status, given, Object.fromEntries(fields) as Readonly<Record<string, string>>);
}

/** Names a type of a range: the first one that the client accepts by its name. */
function typeOfRange(range: string, request: Request): string {
  const accepted = parseAccept(requestField(request, "accept") ?? "").map(({ type, subtype }) => `${type}/${subtype}`);
  return accepted.find((type) => isNamed(type, range)) ?? range.replace("*/*", unknownBytes).replace("*", "x-mock");
}

/** Returns whether a schema takes a value. One that answers later is not waited for. */
function takes(schema: StandardSchema, value: unknown): boolean {
  const issues = probed(schema, value);
  return isThenable(issues) || issues?.length === 0;
}

/** The status that the client asks for, if it is declared. Else the lowest one. Null without any. */
function answerFor({ answers }: OperationModel, code: string | null): AnswerModel | null {
  const possible = [...answers.values()]
    .filter(({ status }) => status !== Status.SwitchingProtocols.status)
    .toSorted((one, other) => one.status - other.status);
  return possible.find(({ status }) => status === Number(code)) ?? possible[0] ?? null;
}

/** A peer, as far as a mock needs it: it sends one message. */
interface Peer {
  send(message: unknown): unknown;
}

type Maker = (schema: StandardSchema, more?: number) => unknown;

/** Makes the content of a media type, as a handler would return it. */
function contentOf({ raw, schema }: AnswerMedium, media: readonly AnswerMedium[], valueOf: Maker): unknown {
  if (raw === null) return valueOf(schema!);
  if (raw.kind === "text" || raw.kind === "bytes") return messageOf(raw, valueOf);
  if (raw.kind === "events" || raw.kind === "lines") return severalOf(raw.schema, valueOf);
  // What a function writes is often what another media type of the same answer shows.
  const other = media.find((one) => one.schema !== null);
  return other === undefined ? undefined : valueOf(other.schema!);
}

function messageOf(content: SocketSide, valueOf: Maker): unknown {
  if (!isRawContent(content)) return valueOf(content);
  return content.kind === "text" ? "text" : new TextEncoder().encode("bytes");
}

/** A few events or lines, and the end. */
async function* severalOf(schema: StandardSchema, valueOf: Maker): AsyncGenerator<unknown> {
  for (let at = 0; at < 3; at++) yield valueOf(schema, at);
}
