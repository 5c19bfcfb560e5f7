import { isToken } from "../../fields/token.ts";
import { described } from "../../http/javascript/described.ts";
import { isContentless } from "../../http/protocol/contentless-status.ts";
import { isSchema, type StandardSchema } from "../../json-schema/shape/standard-schema.ts";
import { pageIn } from "../declaration/page-content.ts";
import { problemIn } from "../declaration/problem-content.ts";
import { isRawContent, isTakenLater } from "../declaration/raw-content.ts";
import { isSocket } from "../declaration/socket-content.ts";
import type { Conversions } from "../../json-schema/library/conversions.ts";
import { isStatus } from "./answer-model.ts";
import { contentKinds } from "./content-kinds.ts";
import { refuseRaw, refuseUnreadTypes, type Unchecked } from "./content-refusals.ts";
import { isContent, isMap, schemasIn } from "./media.ts";
import { members, others } from "./members.ts";

/** Names of other frameworks, and what is written here. */
const meantBy: ReadonlyMap<string, string> = new Map([
  ...["body", "requestbody", "payload", "json", "form"].map((name) => [name, "content"] as const),
  ...["params", "param", "pathparams"].map((name) => [name, "path"] as const),
  ...["querystring", "search", "searchparams"].map((name) => [name, "query"] as const),
  ["header", "headers"],
  ["cookie", "cookies"],
  ["operationid", "id"],
  ...["response", "responses", "returns"].map((name) => [name, "200"] as const),
]);

/**
 * Refuses members of an operation that are neither known nor answers, and answers that cannot be sent.
 * @param cannot the beginning of the message.
 * @throws {TypeError} which says what to write.
 */
export function checkAnswers(operation: Unchecked, cannot: string, conversions: Conversions): void {
  let hasAnswer = false;
  for (const member of Object.keys(operation)) {
    const value = operation[member];
    const known = members[member];
    if (known !== undefined) {
      checkMember(member, value, cannot);
      continue;
    }
    if (others.has(member)) continue;
    const status = Number(member);
    if (!isStatus(member)) {
      const meant = meantBy.get(member.toLowerCase());
      if (meant !== undefined)
        throw new TypeError(`${cannot} has a member "${member}", as others call it; write ${meant}`);
      throw new TypeError(`${cannot} has a member "${member.slice(0, 80)}", which is neither known nor a status code`);
    }
    if (status < 400) hasAnswer = true;
    checkAnswer(value, status, cannot, conversions);
  }
  if (!hasAnswer) throw new TypeError(`${cannot} has no answer below 400; write 200: …, or 204: "…"`);
}

/** @throws {TypeError} which says what to write, when a member that has a row is something else than it can be. */
export function checkMember(member: string, value: unknown, cannot: string): void {
  const { isFit, expected } = members[member]!;
  if (value === undefined || isFit(value)) return;
  throw new TypeError(`${cannot} has ${described(value)} for ${member}; write ${expected}`);
}

function checkAnswer(value: unknown, status: number, cannot: string, conversions: Conversions): void {
  if (status === 101 || isSocket(value)) {
    // A handshake is a GET (RFC 6455 §4.1).
    if (status === 101 && isSocket(value) && cannot.split(" ").at(-1) === "GET") return;
    throw new TypeError(
      `${cannot} has ${isSocket(value) ? "a socket()" : described(value)} for ${status}; write static GET = { 101: ` +
        "socket({ receives, sends }) }",
    );
  }
  if (typeof value === "string") return;
  if (pageIn(value) !== null && (status !== 200 || !/ (?:GET|QUERY)$/.test(cannot))) {
    throw new TypeError(`${cannot} has page() for ${status}; write static GET = { 200: page(schema, { by }) }`);
  }
  const problem = problemIn(value);
  if (problem !== null && problem.status !== status) {
    throw new TypeError(`${cannot} has a problem() of ${problem.status} for ${status}; write ${problem.status}: …`);
  }
  refuseRaw(value, status, cannot);
  const isWhole = isContent(value);
  if (!isWhole && (typeof value !== "object" || value === null)) {
    throw new TypeError(`${cannot} has ${described(value)} for ${status}; write a schema, a text, or { content: … }`);
  }
  const { content, headers = {}, ...more } = (isWhole ? { content: value } : value) as AnswerMembers;
  const unknown = Object.keys(more).find((member) => member !== "description" && member !== "examples");
  if (unknown !== undefined) {
    throw new TypeError(
      `${cannot} has ${described(unknown)} in ${status}; write description, content, headers or examples`,
    );
  }
  if (content !== undefined && !isContent(content) && !isMap(content)) {
    refuseRaw(content, String(status), cannot);
    throw new TypeError(
      `${cannot} has ${described(content)} for the content of ${status}; write a schema, or { [mediaType]: schema }`,
    );
  }
  const kinds = isRawContent(content) ? [content] : Object.values((content ?? {}) as object).filter(isRawContent);
  const unfit = kinds.find(({ kind }) => contentKinds[kind].of === "requests");
  if (unfit !== undefined) {
    throw new TypeError(
      `${cannot} has ${unfit.kind}() for the content of ${status}, which only requests have; write a schema`,
    );
  }
  if (kinds.some((raw) => raw.kind === "bytes" && isTakenLater(raw))) {
    throw new TypeError(
      `${cannot} has bytes() with stream or to for the content of ${status}, which only requests have; leave the ` +
        "option out",
    );
  }
  if (content !== undefined && isContentless(status)) {
    throw new TypeError(`${cannot} has content for ${status}, which has none; write ${status}: "…"`);
  }
  refuseUnreadTypes(content, status, cannot);
  if (isSchema(headers)) {
    throw new TypeError(
      `${cannot} has one schema for the headers of ${status}; write a schema for each field, such as { "x-total": ` +
        "z.int() }",
    );
  }
  for (const [name, schema] of Object.entries(headers as object)) {
    if (isToken(name) && isSchema(schema)) continue;
    refuseRaw(schema, `${described(name)} of ${status}`, cannot);
    throw new TypeError(
      `${cannot} has ${described(schema)} for the field ${described(name)} of ${status}; write a field name and a ` +
        "schema",
    );
  }
  const schemas = schemasIn(content);
  for (const schema of schemas) {
    if (!conversions.hasBigint(schema)) continue;
    throw new TypeError(
      `${cannot} has a bigint in ${status}, which JSON cannot write; write z.string() or z.int(), or ` +
        ".transform(String)",
    );
  }
  for (const schema of schemas.concat(Object.values(headers as object) as StandardSchema[])) {
    if (!conversions.hasCodec(schema)) continue;
    throw new TypeError(
      `${cannot} has a codec in ${status}, which would be decoded; write the schema of what the handler returns, ` +
        "such as z.date()",
    );
  }
}

interface AnswerMembers {
  readonly content?: unknown;
  readonly headers?: unknown;
}
