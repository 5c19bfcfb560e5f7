/** A change that a rule of oasdiff is about: two documents, made as small as they can be. */
export interface ChangeCase {
  /** The rule's name. */
  readonly rule: string;
  readonly before: object;
  readonly after: object;
}

type Schema = Readonly<Record<string, unknown>>;
type Pair = readonly [before: Schema, after: Schema];

const object = (properties: Schema, more: Schema = {}): Schema => ({ type: "object", properties, ...more });
const operation = (members: Schema, method: string = "post"): object => ({
  openapi: "3.1.1",
  info: { title: "T", version: "1" },
  paths: { "/x/{id}": { [method]: { responses: { 200: { description: "OK" } }, ...members } } },
});
const sent = (schema: unknown): object =>
  operation({ requestBody: { required: true, content: { "application/json": { schema } } } });
const answered = (schema: unknown): object =>
  operation({ responses: { 200: { description: "OK", content: { "application/json": { schema } } } } });
const parameter = (schema: unknown, more: Schema = {}): object =>
  operation({ parameters: [{ name: "p", in: "query", ...more, schema }] });
const field = (members: Schema | null): object =>
  operation({ responses: { 200: { description: "OK", headers: members === null ? {} : { "x-f": members } } } });

/** Where a schema may stand, by the beginning of the rules' names. */
const places: Readonly<Record<string, (schema: unknown) => object>> = {
  "request-body": sent,
  "request-property": (schema) => sent(object({ p: schema })),
  "request-parameter": parameter,
  "request-parameter-property": (schema) => parameter(object({ p: schema })),
  "response-body": answered,
  "response-property": (schema) => answered(object({ p: schema })),
  "response-header": (schema) => field({ schema }),
};

const string = { type: "string" };
const number = { type: "number" };
const list = { type: "array", items: string };
const branch = object({ a: string });
const other = object({ b: number });
const nullable = { type: ["string", "null"] };

/** A limit goes up, goes down, comes and goes. */
function limits(name: string, keyword: string, base: Schema): [string, Pair][] {
  const at = (value: number): Schema => ({ ...base, [keyword]: value });
  return [
    [`${name}-increased`, [at(5), at(6)]],
    [`${name}-decreased`, [at(6), at(5)]],
    [`${name}-set`, [base, at(5)]],
    [`${name}-unset`, [at(5), base]],
  ];
}

/** Something comes, goes, and becomes other. */
function presence(name: string, base: Schema, members: Schema, changed?: Schema): [string, Pair][] {
  const full = { ...base, ...members };
  return [
    [`${name}-added`, [base, full]],
    [`${name}-removed`, [full, base]],
    ...(changed === undefined ? [] : ([[`${name}-changed`, [full, { ...base, ...changed }]]] as [string, Pair][])),
  ];
}

/** Differences of a schema, by the end of the rules' names. */
const schemas: readonly [end: string, pair: Pair][] = [
  ...limits("max", "maximum", number),
  ...limits("min", "minimum", number),
  ...limits("exclusive-max", "exclusiveMaximum", number),
  ...limits("exclusive-min", "exclusiveMinimum", number),
  ...limits("max-length", "maxLength", string),
  ...limits("min-length", "minLength", string),
  ...limits("max-items", "maxItems", list),
  ...limits("min-items", "minItems", list),
  ...limits("max-contains", "maxContains", { ...list, contains: { const: "a" } }),
  ...limits("min-contains", "minContains", { ...list, contains: { const: "a" } }),
  ...presence("all-of", {}, { allOf: [branch] }),
  ["all-of-added-annotation-only", [{}, { allOf: [{ description: "x" }] }]],
  ["all-of-removed-annotation-only", [{ allOf: [{ description: "x" }] }, {}]],
  ["any-of-added", [{ anyOf: [branch] }, { anyOf: [branch, other] }]],
  ["any-of-removed", [{ anyOf: [branch, other] }, { anyOf: [branch] }]],
  ["one-of-added", [{ oneOf: [branch] }, { oneOf: [branch, other] }]],
  ["one-of-removed", [{ oneOf: [branch, other] }, { oneOf: [branch] }]],
  ["wrapped-in-one-of", [branch, { oneOf: [branch, other] }]],
  ["became-enum", [string, { type: "string", enum: ["a"] }]],
  ["enum-value-added", [{ enum: ["a"] }, { enum: ["a", "b"] }]],
  ["enum-value-removed", [{ enum: ["a", "b"] }, { enum: ["a"] }]],
  ["became-nullable", [string, nullable]],
  ["became-not-nullable", [nullable, string]],
  ...presence("const", string, { const: "a" }, { const: "b" }),
  ...presence("contains", list, { contains: { const: "a" } }),
  [
    "content-encoding-changed",
    [
      { ...string, contentEncoding: "base64" },
      { ...string, contentEncoding: "base32" },
    ],
  ],
  [
    "content-media-type-changed",
    [
      { ...string, contentMediaType: "image/png" },
      { ...string, contentMediaType: "image/gif" },
    ],
  ],
  ...presence("content-schema", { ...string, contentMediaType: "application/json" }, { contentSchema: branch }),
  ...presence("default-value", string, { default: "a" }, { default: "b" }),
  ...presence("dependent-required", branch, { dependentRequired: { a: ["b"] } }, { dependentRequired: { a: ["c"] } }),
  ...presence("dependent-schema", branch, { dependentSchemas: { a: object({ b: string }, { required: ["b"] }) } }),
  ...presence("discriminator", { oneOf: [branch] }, { discriminator: { propertyName: "a" } }),
  [
    "discriminator-property-name-changed",
    [
      { oneOf: [branch], discriminator: { propertyName: "a" } },
      { oneOf: [branch], discriminator: { propertyName: "b" } },
    ],
  ],
  ...presence("else", branch, { else: { required: ["a"] } }),
  ...presence("if", branch, { if: { required: ["a"] } }),
  // oxlint-disable-next-line unicorn/no-thenable
  ...presence("then", branch, { then: { required: ["a"] } }),
  ["list-of-types-narrowed", [{ type: ["string", "number"] }, string]],
  ["list-of-types-widened", [string, { type: ["string", "number"] }]],
  ...presence("pattern", string, { pattern: "^a$" }, { pattern: "^b$" }),
  [
    "pattern-generalized",
    [
      { ...string, pattern: "^a$" },
      { ...string, pattern: ".*" },
    ],
  ],
  ...presence("pattern-property", branch, { patternProperties: { "^x": string } }),
  ...presence("prefix-items", list, { prefixItems: [{ const: "a" }] }),
  ...presence("property-names", branch, { propertyNames: { pattern: "^a" } }),
  ["type-changed", [{ type: "boolean" }, number]],
  ["type-generalized", [{ type: "integer" }, number]],
  ["type-specialized", [number, { type: "integer" }]],
  ...presence("unevaluated-items", list, { unevaluatedItems: false }),
  ...presence("unevaluated-properties", branch, { unevaluatedProperties: false }),
  ["deprecated", [string, { ...string, deprecated: true }]],
  ["reactivated", [{ ...string, deprecated: true }, string]],
];

const secured = (members: Schema | null, scopes: readonly string[] = []): object => ({
  ...operation({ security: members === null ? [] : [{ auth: scopes }] }),
  components: { securitySchemes: members === null ? {} : { auth: members } },
});
const oauth = (scopes: Schema, url: string = "https://h/a", token: string = "https://h/t"): Schema => ({
  type: "oauth2",
  flows: { authorizationCode: { authorizationUrl: url, tokenUrl: token, scopes } },
});
const token = { type: "http", scheme: "bearer" };
const required = (name: string, schema: unknown): Schema => object({ [name]: schema }, { required: [name] });
const media = (type: string, place: "sent" | "answered"): object => {
  const content = { [type]: { schema: branch } };
  return place === "sent"
    ? operation({ requestBody: { content } })
    : operation({ responses: { 200: { description: "OK", content } } });
};
const twoMedia = (place: "sent" | "answered"): object => {
  const content = { "application/json": { schema: branch }, "text/csv": { schema: string } };
  return place === "sent"
    ? operation({ requestBody: { content } })
    : operation({ responses: { 200: { description: "OK", content } } });
};
const statuses = (...codes: readonly number[]): object =>
  operation({ responses: Object.fromEntries(codes.map((code) => [code, { description: `${code}` }])) });
const none = { openapi: "3.1.1", info: { title: "T", version: "1" }, paths: {} };
const hook = (schema: unknown): object => ({
  ...none,
  webhooks: { changed: { post: { requestBody: { content: { "application/json": { schema } } }, responses: {} } } },
});
const body = (more: Schema = {}): object =>
  operation({ requestBody: { ...more, content: { "application/json": { schema: branch } } } });
const pathParam = operation({ parameters: [{ name: "id", in: "path", required: true, schema: string }] });

/** Differences that have one place only, by the rules' whole names. */
const single: readonly [rule: string, before: object, after: object][] = [
  ["endpoint-added", none, operation({})],
  ["api-removed-without-deprecation", operation({}), { ...none, paths: { "/x/{id}": {} } }],
  ["api-path-removed-without-deprecation", operation({}), none],
  ["api-path-removed-before-sunset", operation({ deprecated: true, "x-sunset": "2999-01-01" }), none],
  ["api-removed-before-sunset", operation({ deprecated: true, "x-sunset": "2999-01-01" }), none],
  ["api-path-removed-with-deprecation", operation({ deprecated: true, "x-sunset": "2020-01-01" }), none],
  ["api-removed-with-deprecation", operation({ deprecated: true, "x-sunset": "2020-01-01" }), none],
  ["endpoint-deprecated", operation({}), operation({ deprecated: true })],
  ["endpoint-deprecated-with-sunset", operation({}), operation({ deprecated: true, "x-sunset": "2999-01-01" })],
  ["endpoint-reactivated", operation({ deprecated: true }), operation({})],
  ["api-operation-id-added", operation({}), operation({ operationId: "a" })],
  ["api-operation-id-removed", operation({ operationId: "a" }), operation({})],
  ["api-tag-added", operation({}), operation({ tags: ["a"] })],
  ["api-tag-removed", operation({ tags: ["a"] }), operation({})],
  ["api-security-added", secured(null), secured(token)],
  ["api-security-removed", secured(token), secured(null)],
  ["api-security-scope-added", secured(oauth({ a: "" }), []), secured(oauth({ a: "" }), ["a"])],
  ["api-security-scope-removed", secured(oauth({ a: "" }), ["a"]), secured(oauth({ a: "" }), [])],
  ["api-security-component-type-changed", secured(token), secured({ type: "openIdConnect", scheme: "bearer" })],
  ["api-security-component-oauth-url-changed", secured(oauth({})), secured(oauth({}, "https://h/b"))],
  [
    "api-security-component-oauth-token-url-changed",
    secured(oauth({})),
    secured(oauth({}, "https://h/a", "https://h/u")),
  ],
  ["api-security-component-oauth-scope-added", secured(oauth({})), secured(oauth({ a: "" }))],
  ["api-security-component-oauth-scope-removed", secured(oauth({ a: "" })), secured(oauth({}))],
  ["api-security-component-oauth-scope-changed", secured(oauth({ a: "" })), secured(oauth({ a: "b" }))],
  ["request-body-added-optional", operation({}), body()],
  ["request-body-added-required", operation({}), body({ required: true })],
  ["request-body-removed", body(), operation({})],
  ["request-body-became-optional", body({ required: true }), body()],
  ["request-body-became-required", body(), body({ required: true })],
  ["request-body-media-type-added", media("application/json", "sent"), twoMedia("sent")],
  ["request-body-media-type-removed", twoMedia("sent"), media("application/json", "sent")],
  ["request-body-media-type-schema-added", sent(undefined), sent(branch)],
  ["request-body-media-type-schema-removed", sent(branch), sent(undefined)],
  ["new-optional-request-parameter", operation({}), parameter(string)],
  ["new-optional-request-default-parameter-to-existing-path", operation({}), parameter({ ...string, default: "a" })],
  ["new-required-request-parameter", operation({}), parameter(string, { required: true })],
  [
    "new-required-request-default-parameter-to-existing-path",
    operation({}),
    parameter({ ...string, default: "a" }, { required: true }),
  ],
  ["new-request-path-parameter", operation({}), pathParam],
  ["request-parameter-removed", parameter(string), operation({})],
  ["request-parameter-became-required", parameter(string), parameter(string, { required: true })],
  ["request-parameter-became-optional", parameter(string, { required: true }), parameter(string)],
  ["request-parameter-deprecated", parameter(string), parameter(string, { deprecated: true })],
  ["request-parameter-reactivated", parameter(string, { deprecated: true }), parameter(string)],
  ["new-optional-request-property", sent(branch), sent(object({ a: string, b: string }))],
  ["new-required-request-property", sent(branch), sent(object({ a: string, b: string }, { required: ["b"] }))],
  [
    "new-required-request-property-with-default",
    sent(branch),
    sent(object({ a: string, b: { ...string, default: "x" } }, { required: ["b"] })),
  ],
  ["request-property-became-required", sent(branch), sent(required("a", string))],
  ["request-property-became-optional", sent(required("a", string)), sent(branch)],
  [
    "request-property-became-required-with-default",
    sent(object({ a: { ...string, default: "x" } })),
    sent(required("a", { ...string, default: "x" })),
  ],
  ["request-property-removed", sent(object({ a: string, b: string })), sent(branch)],
  ["request-optional-property-became-read-only", sent(branch), sent(object({ a: { ...string, readOnly: true } }))],
  ["request-optional-property-became-not-read-only", sent(object({ a: { ...string, readOnly: true } })), sent(branch)],
  ["request-optional-property-became-write-only", sent(branch), sent(object({ a: { ...string, writeOnly: true } }))],
  [
    "request-required-property-became-write-only",
    sent(required("a", string)),
    sent(required("a", { ...string, writeOnly: true })),
  ],
  [
    "request-required-property-became-read-only",
    sent(required("a", string)),
    sent(required("a", { ...string, readOnly: true })),
  ],
  [
    "request-read-only-property-max-length-decreased",
    sent(object({ a: { ...string, readOnly: true, maxLength: 9 } })),
    sent(object({ a: { ...string, readOnly: true, maxLength: 5 } })),
  ],
  [
    "request-read-only-property-enum-value-removed",
    sent(object({ a: { enum: ["a", "b"], readOnly: true } })),
    sent(object({ a: { enum: ["a"], readOnly: true } })),
  ],
  ["response-optional-property-added", answered(branch), answered(object({ a: string, b: string }))],
  [
    "response-required-property-added",
    answered(branch),
    answered(object({ a: string, b: string }, { required: ["b"] })),
  ],
  ["response-optional-property-removed", answered(object({ a: string, b: string })), answered(branch)],
  ["response-required-property-removed", answered(required("a", string)), answered(object({}))],
  ["response-property-became-optional", answered(required("a", string)), answered(branch)],
  ["response-property-became-required", answered(branch), answered(required("a", string))],
  [
    "response-optional-write-only-property-added",
    answered(object({})),
    answered(object({ a: { ...string, writeOnly: true } })),
  ],
  [
    "response-required-write-only-property-removed",
    answered(required("a", { ...string, writeOnly: true })),
    answered(object({})),
  ],
  [
    "response-write-only-property-became-optional",
    answered(required("a", { ...string, writeOnly: true })),
    answered(object({ a: { ...string, writeOnly: true } })),
  ],
  [
    "response-write-only-property-enum-value-added",
    answered(object({ a: { enum: ["a"], writeOnly: true } })),
    answered(object({ a: { enum: ["a", "b"], writeOnly: true } })),
  ],
  [
    "response-optional-property-became-read-only",
    answered(branch),
    answered(object({ a: { ...string, readOnly: true } })),
  ],
  [
    "response-optional-property-became-write-only",
    answered(branch),
    answered(object({ a: { ...string, writeOnly: true } })),
  ],
  [
    "response-optional-property-became-not-write-only",
    answered(object({ a: { ...string, writeOnly: true } })),
    answered(branch),
  ],
  ["response-media-type-added", media("application/json", "answered"), twoMedia("answered")],
  ["response-media-type-removed", twoMedia("answered"), media("application/json", "answered")],
  ["response-success-status-added", statuses(200), statuses(200, 202)],
  ["response-success-status-removed", statuses(200, 202), statuses(200)],
  ["response-non-success-status-added", statuses(200), statuses(200, 404)],
  ["response-non-success-status-removed", statuses(200, 404), statuses(200)],
  ["response-header-added", field(null), field({ schema: string })],
  ["required-response-header-removed", field({ required: true, schema: string }), field(null)],
  ["optional-response-header-removed", field({ schema: string }), field(null)],
  ["response-header-became-optional", field({ required: true, schema: string }), field({ schema: string })],
  ["webhook-added", none, hook(branch)],
  ["webhook-removed", hook(branch), none],
];

/** All cases: each difference of a schema at each place, and those of one place. */
export function changeCases(isRule: (name: string) => boolean): ChangeCase[] {
  const everywhere = Object.entries(places).flatMap(([place, make]) =>
    schemas
      .map(([end, [before, after]]) => ({ rule: `${place}-${end}`, before: make(before), after: make(after) }))
      .filter(({ rule }) => isRule(rule)),
  );
  const once = single.map(([rule, before, after]) => ({ rule, before, after }));
  const known = new Set(once.map(({ rule }) => rule));
  return [...everywhere.filter(({ rule }) => !known.has(rule)), ...once];
}
