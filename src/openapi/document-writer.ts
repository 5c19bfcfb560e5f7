import type { Problems } from "../dispatch/error-response.ts";
import { isDateField } from "../fields/http-date.ts";
import { isThenable } from "../http/javascript/thenable.ts";
import { registeredStatus } from "../http/protocol/status.ts";
import type { JsonSchema } from "../json-schema/shape/json-schema.ts";
import { probed, type StandardSchema } from "../json-schema/shape/standard-schema.ts";
import type { AnswerModel } from "../semantics/operation/answer-model.ts";
import type { SecuritySchemes } from "../semantics/operation/guards-model.ts";
import { mediaOf, type Media } from "../semantics/operation/media.ts";
import { describedMembersOf } from "../semantics/operation/described-members.ts";
import { impliedDescriptionOf } from "./answer-descriptions.ts";
import { Components } from "./components.ts";
import type { Side } from "./converted-schema.ts";
import { byPrecedence, impliedStatusesAt, type DescribedOperation } from "./described-operation.ts";
import type { DocumentOptions } from "./document-options.ts";
import { addImpliedFields } from "./implied-fields.ts";
import { joinedOperation } from "./joined-operation.ts";
import { joinedResponse } from "./joined-response.ts";
import type {
  OpenAPIDocument,
  DocumentedOperation,
  DocumentedParameter,
  DocumentedResponse,
  DocumentedContent,
} from "./openapi-document.ts";
import { operationIdsOf } from "./operation-id.ts";
import { parametersOf } from "./parameters.ts";
import { problemSchema } from "./problem-schema.ts";
import { binary, rawKindOf } from "./raw-kinds.ts";
import { socketMessagesOf } from "./socket-messages.ts";
import { checkWhole } from "./self-check.ts";
import { requirementsOf } from "./security-requirements.ts";

type Operations = Record<string, Record<string, DocumentedOperation>>;

/** Writes operations as an OpenAPI document, with the components that they refer to. Each writes one. */
export class DocumentWriter {
  readonly #options: DocumentOptions;
  readonly #problems: Problems | null;
  readonly #is32: boolean;
  readonly #components = new Components(true);
  readonly #securitySchemes = new Map<string, SecuritySchemes[string]>();
  #problem: JsonSchema | null = null;
  readonly #problemReferences: { $ref?: string }[] = [];

  constructor(options: DocumentOptions, problems: Problems | null) {
    this.#options = options;
    this.#problems = problems;
    this.#is32 = options.openapiVersion === "3.2";
  }

  write(operations: readonly DescribedOperation[]): OpenAPIDocument {
    const { title, version, description, servers } = this.#options;
    const ids = operationIdsOf(operations);
    const paths: Operations = {};
    const templates = templatesIn(operations);
    for (const operation of operations) {
      const key = this.#methodKey(operation.model.method);
      if (key === null) continue;
      const template = templates.get(operation.template.shape)!;
      const id = ids.get(operation)!;
      const written = [operation, ...operation.rivals].map((one) => this.#operation(one, id, template));
      (paths[template.text] ??= {})[key] = written.reduce(joinedOperation);
    }
    const webhooks = this.#webhooks(new Set(ids.values()));
    if (this.#problemReferences.length > 0) this.#problem = this.#describedProblem();
    const schemas = this.#components.finish();
    for (const reference of this.#problemReferences) Object.assign(reference, this.#problem);
    const written = [...Object.values(paths), ...Object.values(webhooks)].flatMap((one) => Object.values(one));
    const tags = new Set(written.flatMap((one) => one.tags));
    const document = {
      openapi: this.#is32 ? "3.2.0" : "3.1.1",
      info: { title, version, ...(description === undefined ? {} : { description }) },
      ...(servers === undefined ? {} : { servers: servers.map((url) => ({ url })) }),
      tags: [...tags].map((name) => ({ name })),
      paths,
      ...(Object.keys(webhooks).length === 0 ? {} : { webhooks }),
      components: {
        schemas,
        ...(this.#securitySchemes.size === 0 ? {} : { securitySchemes: Object.fromEntries(this.#securitySchemes) }),
      },
    };
    return checkWhole(document, operations.filter(({ model }) => this.#methodKey(model.method) !== null).length);
  }

  /** Before 3.2, OpenAPI has no place for CONNECT, whose target is not a path. */
  #methodKey(method: string): string | null {
    if (method === "CONNECT") return null;
    return method === "QUERY" && !this.#is32 ? "x-query" : method.toLowerCase();
  }

  #operation(
    one: DescribedOperation,
    operationId: string,
    template: DescribedOperation["template"],
  ): DocumentedOperation {
    const { model, rivals } = one;
    const { method, mounted, declaration, content } = model;
    const owner = `${mounted.name} ${method}`;
    const parameters = parametersOf(one, owner, template, this.#components);
    const security = requirementsOf(model, (name, scheme) => this.#scheme(name, scheme));
    const others = rivals.map((rival) => `${rival.source} of ${rival.model.mounted.name}`).join(", ");
    const also = others === "" ? [] : [`Depending on the text of its params, the path is answered by ${others}.`];
    const description = [declaration.description ?? [], also].flat().join("\n\n");
    return {
      operationId,
      ...(declaration.summary === undefined ? {} : { summary: declaration.summary }),
      ...(description === "" ? {} : { description }),
      tags: declaration.tags ?? [mounted.name],
      ...Object.assign(
        {},
        ...describedMembersOf(model).map(({ documented }) => (documented === "joined" ? {} : documented?.(model))),
      ),
      ...(parameters.length === 0 ? {} : { parameters }),
      ...(content === null
        ? {}
        : {
            requestBody: {
              required: !content.isOptional,
              content: this.#content(content.media, "input", `${owner} content`, declaration.examples ?? null),
            },
          }),
      responses: this.#responses(one, owner),
      ...(security === null ? {} : { security }),
    };
  }

  /** Describes what receivers get, and how they answer. */
  #webhooks(ids: Set<string>): Record<string, { readonly post: DocumentedOperation }> {
    const all = (this.#options.webhooks ?? []).map(({ name, event, POST }) => {
      const operationId = name.slice(0, 1).toLowerCase() + name.slice(1);
      if (ids.has(operationId)) {
        throw new TypeError(
          `Cannot describe the application: the webhook ${name} and an operation have the operationId ` +
            `"${operationId}"; rename the class`,
        );
      }
      ids.add(operationId);
      const { content, summary, description, examples = null } = POST;
      const post: DocumentedOperation = {
        operationId,
        ...(summary === undefined ? {} : { summary }),
        ...(description === undefined ? {} : { description }),
        tags: ["Webhooks"],
        parameters: signedBy,
        requestBody: { required: true, content: this.#content(mediaOf(content), "input", `${name} content`, examples) },
        responses: {
          "2XX": { description: "The webhook was taken" },
          410: { description: "No more webhooks are wanted" },
          default: { description: "The webhook is sent again later" },
        },
      };
      return [event, { post }] as const;
    });
    return Object.fromEntries(all);
  }

  #responses(operation: DescribedOperation, owner: string): Record<string, DocumentedResponse> {
    const { model } = operation;
    // An answer to HEAD has the fields of content, and no content (RFC 9110 §9.3.2).
    const hasContent = model.method !== "HEAD";
    const responses: Record<string, DocumentedResponse> = {};
    for (const answer of model.answers.values()) responses[answer.status] = this.#response(answer, owner, hasContent);
    for (const answer of model.guards.flatMap(({ answers }) => [...answers.values()])) {
      const { status } = answer;
      responses[status] = joinedResponse(status, responses[status], this.#response(answer, owner, hasContent));
    }
    const whole = responses[200];
    for (const status of impliedStatusesAt(operation)) {
      const description = impliedDescriptionOf(status, model);
      const response =
        status === 206 && whole !== undefined
          ? { ...whole, description: description!, content: bytesOf(whole.content!) }
          : this.#problemOf(status, description, hasContent);
      responses[status] = joinedResponse(status, responses[status], response);
    }
    if (model.socket !== null) {
      const { receives, sends } = socketMessagesOf(model.socket, this.#components, owner);
      responses[101] = { ...responses[101]!, "x-receives": receives.schema, "x-sends": sends.schema };
    }
    addImpliedFields(responses, operation);
    // A handler without a declaration may answer anything.
    if (!model.isDeclared) {
      responses["default"] = {
        description: model.isOnLine ? "The answer is not declared" : "The response is not declared",
      };
    }
    return responses;
  }

  #response(
    { status, description, media, headers, examples }: AnswerModel,
    owner: string,
    hasContent: boolean,
  ): DocumentedResponse {
    const fields = headers.map(([name, schema]) => [
      name,
      {
        ...(isNeeded(schema) ? { required: true } : {}),
        schema: fieldSchema(name, this.#components.describe(schema, "output", `${owner} ${status} ${name}`)),
      },
    ]);
    const plain =
      media.length === 0 || !hasContent
        ? this.#problemOf(status, description ?? undefined, hasContent)
        : {
            description: description ?? phraseOf(status),
            content: this.#content(media, "output", `${owner} ${status}`, examples),
          };
    return fields.length === 0 ? plain : { ...plain, headers: Object.fromEntries(fields) as Record<string, unknown> };
  }

  #problemOf(status: number, description: string = phraseOf(status), hasContent: boolean): DocumentedResponse {
    return { description, ...(status < 400 || !hasContent ? {} : { content: this.#problemContent() }) };
  }

  #content(media: readonly Media[], side: Side, owner: string, examples: AnswerModel["examples"]): DocumentedContent {
    const shown =
      examples === null
        ? {}
        : { examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])) };
    return Object.fromEntries(
      media.map((one) => [one.type, { ...this.#medium(one, side, owner), ...this.#encoding(one, owner), ...shown }]),
    );
  }

  #medium({ raw, schema }: Media, side: Side, owner: string): Record<string, unknown> {
    if (raw === null) return { schema: this.#components.describe(schema!, side, owner) };
    return rawKindOf(raw).documented(raw, { components: this.#components, side, owner, is32: this.#is32 });
  }

  #encoding({ type, schema }: Media, owner: string): { readonly encoding?: object } {
    if (schema === null || !/^(?:application\/x-www-form-urlencoded|multipart\/form-data)/i.test(type)) return {};
    const encoding = this.#components.encodingsOf(schema, owner);
    return Object.keys(encoding).length === 0 ? {} : { encoding };
  }

  #problemContent(): DocumentedContent {
    const schema: { $ref?: string } = {};
    this.#problemReferences.push(schema);
    return { [this.#problems?.type ?? "application/problem+json"]: { schema } };
  }

  /** A component, even if the schema of the application has no id. */
  #describedProblem(): JsonSchema {
    if (this.#problems === null) return this.#components.add("Problem", problemSchema, "fingerpost");
    const schema = this.#components.describe(this.#problems.schema as StandardSchema, "output", "problems()");
    return this.#components.named(schema, "Problem", "problems()");
  }

  /** Schemes of one name that are different have different names in the document. */
  #scheme(name: string, scheme: SecuritySchemes[string]): string {
    let key = name;
    const text = JSON.stringify(scheme);
    for (let more = 2; JSON.stringify(this.#securitySchemes.get(key) ?? scheme) !== text; more++)
      key = `${name}${more}`;
    this.#securitySchemes.set(key, scheme);
    return key;
  }
}

/** Whether an answer must have a field: its schema does not take what is absent. */
function isNeeded(schema: StandardSchema): boolean {
  const issues = probed(schema, undefined);
  return !isThenable(issues) && issues !== null && issues.length > 0;
}

/** Returns for each shape the template that names the params of all operations there. */
function templatesIn(operations: readonly DescribedOperation[]): Map<string, DescribedOperation["template"]> {
  const templates = new Map<string, DescribedOperation["template"]>();
  for (const { template } of operations.flatMap((one) => [one, ...one.rivals])) {
    const known = templates.get(template.shape);
    if (known === undefined || byPrecedence(template, known) < 0) templates.set(template.shape, template);
  }
  return templates;
}

/** Returns the media types with bytes, because only they have parts. */
function bytesOf(content: DocumentedContent): DocumentedContent {
  return Object.fromEntries(Object.entries(content).filter(([, { schema }]) => schema === binary));
}

/** The phrases that were asked for: each is looked for among sixty. */
const phrases = new Map<number, string>();

function phraseOf(status: number): string {
  const known = phrases.get(status) ?? registeredStatus(status)?.statusText ?? `Status ${status}`;
  phrases.set(status, known);
  return known;
}

/** Describes a date of a field of HTTP by the form that is sent. The format is of the registry of OpenAPI. */
function fieldSchema(name: string, schema: JsonSchema): JsonSchema {
  return isDateField(name) && schema.format === "date-time" ? { ...schema, format: "http-date" } : schema;
}

/** The fields of Standard Webhooks. */
const signedBy: readonly DocumentedParameter[] = [
  ["webhook-id", "Is the same for each try"],
  ["webhook-timestamp", "The seconds since 1970 at which it was sent"],
  ["webhook-signature", "Signatures over id, time and content, as Standard Webhooks has them"],
].map(([name = "", description = ""]) => ({
  name,
  in: "header",
  description,
  required: true,
  style: "simple",
  explode: false,
  schema: { type: "string" },
}));
