import { keywordOf, schemaAt, type JsonSchema } from "../json-schema/shape/json-schema.ts";
import type { StandardSchema } from "../json-schema/shape/standard-schema.ts";
import type { Components } from "../openapi/components.ts";
import { documentedSchemaOf } from "../openapi/documented-schema.ts";
import { parametersOfPages, preconditionsOf } from "../openapi/parameters.ts";
import { templatesOf } from "../openapi/templates.ts";
import { parsePathPattern } from "../routing/pattern/path-pattern.ts";
import type { OperationModel } from "../semantics/operation/operation-model.ts";
import { credential, isCredential } from "../semantics/operation/guards-model.ts";
import { isKeptFromTools, isSendable } from "../semantics/operation/tools.ts";
import { wordSet } from "../http/javascript/word-set.ts";

/** The parts of a request that have inputs of a tool, as they are named where they are groups. */
export type Part = "path" | "query" | "headers" | "content" | "idempotencyKey";

/** One input of a tool. */
export interface Input {
  readonly part: Part;
  /** The name of the input in that part; null for content as a whole, and for the key. */
  readonly member: string | null;
  readonly isRequired: boolean;
  readonly schema: JsonSchema;
}

/** The name of an input where all are members of one object. */
export function nameOf({ part, member }: Input): string {
  return member ?? part;
}

/**
 * Lists the inputs of an operation at a pattern.
 * @param hidden fields that no tool has as input, in lower case.
 * @param isFlat whether content that is an object of members has an input for each.
 */
export function inputsOf(
  model: OperationModel,
  pattern: string,
  components: Components,
  hidden: ReadonlySet<string>,
  isFlat: boolean,
): Input[] {
  const owner = `${model.mounted.name} ${model.method}`;
  const { path, query, headers, content, page, declaration } = model;
  const templates = templatesOf(parsePathPattern(pattern));
  const required = new Set(templates[0]!.params.map(({ name }) => name));
  const ofPath = path === null ? [] : components.membersOf(path.schema, owner);
  const inputs = templates.at(-1)!.params.map(({ name, expression, description }): Input => {
    const known = ofPath.find((member) => member.name === name)?.schema;
    const text = expression === null ? { type: "string" } : { type: "string", pattern: `^(?:${expression})$` };
    const said = description === null ? {} : { description };
    return { part: "path", member: name, isRequired: required.has(name), schema: { ...(known ?? text), ...said } };
  });
  const namedOf = (part: "query" | "headers", schema: StandardSchema | undefined): Input[] =>
    (schema === undefined ? [] : components.membersOf(schema, owner)).map((member) => ({
      part,
      member: member.name,
      isRequired: member.isRequired,
      schema: part === "headers" && isCredential(model, "header", member.name) ? credential : member.schema,
    }));
  inputs.push(...namedOf("query", query?.schema));
  for (const { name, description, schema } of page === null ? [] : parametersOfPages(page.limits)) {
    inputs.push({ part: "query", member: name, isRequired: false, schema: { ...schema, description } });
  }
  inputs.push(
    ...namedOf("headers", headers?.schema).filter(
      ({ member }) => !isKeptFromTools(member!) && !hidden.has(member!.toLowerCase()),
    ),
  );
  // A tool that reads is asked for what is there now.
  for (const { name, description, schema } of model.isRead ? [] : preconditionsOf(model)) {
    const isKnown = inputs.some(
      ({ part, member }) => part === "headers" && member!.toLowerCase() === name.toLowerCase(),
    );
    if (isKnown) continue;
    const isRequired = declaration.precondition === true && name === "If-Match";
    inputs.push({ part: "headers", member: name, isRequired, schema: { ...schema, description } });
  }
  if (declaration.idempotency !== undefined) {
    const description =
      "A new key for each write, and the same one to repeat a write: the repeat gets the first answer";
    const schema = { type: "string", minLength: 1, maxLength: 255, description };
    inputs.push({ part: "idempotencyKey", member: null, isRequired: declaration.idempotency === true, schema });
  }
  const medium = content?.media.find(isSendable);
  if (medium === undefined) return inputs;
  const { schema } = medium;
  const isRequired = !content!.isOptional;
  if (schema === null) {
    return [...inputs, { part: "content", member: null, isRequired, schema: { type: "string" } }];
  }
  const members = isFlat && isRequired && hasOnlyMembers(schema, owner) ? components.membersOf(schema, owner) : [];
  if (members.length > 0) {
    return [
      ...inputs,
      ...members.map((member): Input => ({
        part: "content",
        member: member.name,
        isRequired: member.isRequired,
        schema: member.schema,
      })),
    ];
  }
  return [
    ...inputs,
    { part: "content", member: null, isRequired, schema: components.describe(schema, "input", `${owner} content`) },
  ];
}

/** Returns whether a schema is an object of the members that it names, and says nothing else of it. */
function hasOnlyMembers(schema: StandardSchema, owner: string): boolean {
  const shown = documentedSchemaOf(schema, "input", owner);
  if (shown === undefined) return false;
  const root = schemaAt(shown, shown);
  const others = keywordOf(root, "additionalProperties");
  const isClosed = others === undefined || others === false;
  return root["type"] === "object" && isClosed && Object.keys(root).every((keyword) => ofMembers.has(keyword));
}

const ofMembers = /* @__PURE__ */ wordSet(
  "type properties required additionalProperties title description examples default $schema $id id $defs " +
    "definitions",
);

/** Describes inputs as members of one object. */
export function objectOf(inputs: readonly Input[]): JsonSchema {
  const required = inputs.filter(({ isRequired }) => isRequired).map(nameOf);
  return {
    type: "object",
    properties: Object.fromEntries(inputs.map((input) => [nameOf(input), input.schema])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

/** Describes inputs as an object of their parts. */
export function groupsOf(inputs: readonly Input[]): JsonSchema {
  const parts = [...new Set(inputs.map(({ part }) => part))];
  const groups = parts.map((part): Input => {
    const own = inputs.filter((input) => input.part === part);
    const [first] = own as [Input];
    if (first.member === null) return first;
    return { part, member: null, isRequired: own.some(({ isRequired }) => isRequired), schema: objectOf(own) };
  });
  return objectOf(groups);
}
