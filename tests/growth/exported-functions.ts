// What src exports outside of src/fields and src/middleware: how a function takes a text of a client, or why no client
// can send it a long one. A function needs a row where its types say that it takes text.
import { Application, reply, Resource, text as asText, type Call } from "fingerpost";
import { document, openapi } from "../../src/openapi.ts";
import * as v from "valibot";
import { z } from "zod";
import { boundaryOf, formParametersOf } from "../../src/formats/multipart/form-parameters.ts";
import { parsePartHead, textOf } from "../../src/formats/multipart/part-head.ts";
import { utf8Text } from "../../src/http/message/utf8-text.ts";
import { isFileName, isDotFile } from "../../src/content/file-name.ts";
import { fileResponse } from "../../src/content/file-response.ts";
import { mediaTypeOfName } from "../../src/content/media-types.ts";
import { addLeft, errorAnswer, errorResponse } from "../../src/dispatch/error-response.ts";
import { methodOf, parsedPathStart, pathIn, serializedPathStart, inputURLOf } from "../../src/dispatch/input.ts";
import { sharedUrlForm } from "../../src/dispatch/sent-input.ts";
import { replacedInput } from "../../src/dispatch/replaced-input.ts";
import { byteLengthOf } from "../../src/http/javascript/byte-length.ts";
import { described, inOneLine, kindOf, quoted } from "../../src/http/javascript/described.ts";
import { isHost, parsedURL } from "../../src/http/protocol/host.ts";
import { HTTPError } from "../../src/http/protocol/http-error.ts";
import { isMethod } from "../../src/http/protocol/method.ts";
import { Status } from "../../src/http/protocol/status.ts";
import * as nodeContent from "../../src/servers/node/content.ts";
import * as nodeRequest from "../../src/servers/node/incoming-request.ts";
import * as nodeWholeRequest from "../../src/servers/node/whole-request.ts";
import { PageCursors } from "../../src/formats/pages/page-cursors.ts";
import { canonicalJson, isEqualJson } from "../../src/json-schema/value/equal-json.ts";
import { jsonPatched } from "../../src/json-schema/value/json-patch.ts";
import { mergePatched } from "../../src/json-schema/value/merge-patch.ts";
import { lastEventIdOf } from "../../src/content/inbox.ts";
import { parseBase64 } from "../../src/http/javascript/base64.ts";
import { isEqualText } from "../../src/http/javascript/equal-text.ts";
import { DpopNonces } from "../../src/middleware/lib/dpop-nonces.ts";
import { readProof } from "../../src/middleware/lib/dpop-proof.ts";
import { sha256Base64url } from "../../src/http/javascript/web-digest.ts";
import { parseBase64url } from "../../src/http/javascript/base64url.ts";
import { clientNetworkOf } from "../../src/middleware/lib/client-address.ts";
import { readBack, withOriginals } from "../../src/middleware/lib/coding-tags.ts";
import { originalTag, withVersions } from "../../src/middleware/lib/entity-tags.ts";
import { Secrets } from "../../src/middleware/lib/secrets.ts";
import { isRangeStale, isVersionStale } from "../../src/middleware/lib/stale-range.ts";
import { TextSigner } from "../../src/http/javascript/text-signer.ts";
import { pageOf } from "../../src/openapi/page.ts";
import * as target from "../../src/routing/request/target-path.ts";
import { namedByBranches } from "../../src/json-schema/library/branch-members.ts";
import { withBranches, type CheckIssue } from "../../src/json-schema/library/check-branches.ts";
import { expectationOf, withoutQuote, wordsOf } from "../../src/json-schema/library/issue-words.ts";
import { failuresOf } from "../../src/json-schema/library/issues.ts";
import { parseJsonContent } from "../../src/json-schema/text/parsed-json.ts";
import { hasFallback } from "../../src/json-schema/shape/fallback-members.ts";
import { pathOf, pointerOf } from "../../src/json-schema/value/json-pointer.ts";
import { Quotes } from "../../src/json-schema/library/quotes.ts";
import { jsonSchema } from "../../src/json-schema/library/raw-schema.ts";
import { ReadOnlyMembers } from "../../src/json-schema/library/read-only-members.ts";
import { valibotBranchesOf } from "../../src/json-schema/library/valibot-branches.ts";
import { TextReader } from "../../src/json-schema/text/text-reader.ts";
import { readingOf } from "../../src/json-schema/text/text-reading.ts";
import { TextShapes } from "../../src/json-schema/text/text-shape.ts";
import { addUrlEncoded, addValue, emptyValues } from "../../src/json-schema/text/text-values.ts";
import { decisionsApplication } from "../cases/decisions-application.ts";

export type Reader = (text: string) => unknown;
export type Table = Readonly<Record<string, Readonly<Record<string, Reader | readonly Reader[] | string>>>>;

const nonces = new DpopNonces(["a secret that all the processes have"]);
const ofApp = "of the application";
const names = "finds names that isFileName() takes";
const byLine = "through perform()";
const ofHandlers = "of what handlers return";

const schema = z.object({
  n: z.int().optional(),
  on: z.boolean().optional(),
  day: z.iso.date().optional(),
  word: z.enum(["a", "b"]).optional(),
  list: z.array(z.int()).optional(),
});
const shown = z.toJSONSchema(schema);
const readers = {
  query: new TextReader(shown, "query"),
  form: new TextReader(shown, "form"),
  headers: new TextReader(shown, "headers"),
  open: new TextReader(undefined, "query"),
};
const readOnly = new ReadOnlyMembers({ properties: { a: {}, l: { items: { properties: { n: {} } } } } });
const cursors = new PageCursors({ by: z.string(), limit: 20, maxLimit: 100, secrets: [] });
const number = readingOf(new TextShapes({}).shapeOf({ type: "number" }));
const either = readingOf(new TextShapes({}).shapeOf({ enum: ["a", 1, true, null] }));
const json = readingOf(new TextShapes({}).shapeOf({ type: "object" }));
const headersWith = (name: string, value: string): Headers => new Headers({ [name]: value.trim() });
const latin1 = (text: string): string => text.replace(/[^\t\x20-\xff]/g, "?");

const table = decisionsApplication();

/** A request of the decision table's application, with the text in a field. */
function inField(path: string, name: string, start = "", method = "GET"): Reader {
  return (text) => {
    const headers = new Headers({ [name]: latin1(start + text) });
    return table.fetch(new Request(`http://localhost${path}`, { method, headers }));
  };
}

/** The same, with the text in its content. */
function inContent(path: string, type: string, contentOf: Reader): Reader {
  return (text) => {
    const body = contentOf(text) as string;
    return table.fetch(
      new Request(`http://localhost${path}`, { method: "POST", headers: { "content-type": type }, body }),
    );
  };
}

const inQuery =
  (start: string): Reader =>
  (text) =>
    table.fetch(new Request(`http://localhost/query?${start}${text.replaceAll("#", "%23")}`));

const explainedBy: Reader = (text) =>
  table.explain(new Request("http://localhost/fields", { headers: { "x-count": latin1(text) } }));

class Searched extends Resource {
  paths = ["/notes/:id"] as const;
  static GET = { 200: asText(), 404: "No note" };
  override GET({ path }: Call<typeof Searched, "GET">): never {
    return reply(path.id === "1" ? 200 : 404) as never;
  }
}
const documented = Application.builder()
  .resources(Searched, ...openapi({ title: "Notes", version: "1" }))
  .build();
const about = document(documented, { title: "Notes", version: "1" });
const stored = {
  length: 10,
  etag: '"1"',
  lastModified: new Date(0),
  type: "text/plain",
  coding: null,
  read: (start: number, end: number) => new Uint8Array(end - start),
  close: () => {},
};
const fileAsked =
  (name: string, start = ""): Reader =>
  (text) =>
    fileResponse({ method: "GET", headers: headersWith(name, latin1(start + text)) }, stored);

const inputs = "takes whole inputs, and no text";
const anyRequest = new Request("http://localhost/");
const nodeResponse = {} as Parameters<typeof nodeRequest.requestOf>[1];

/** A request of Node with a field, and a host. */
function messageWith(name: string, value: string, url = "/"): Parameters<typeof nodeRequest.hostOf>[0] {
  const headers = { host: "localhost", [name]: value };
  const rawHeaders = Object.entries(headers).flat();
  const message = { headers, rawHeaders, httpVersion: "1.1", method: "PUT", url, socket: {} };
  return message as unknown as Parameters<typeof nodeRequest.hostOf>[0];
}

/** The same, where what is wrong is refused by an error. */
function refusing(read: Reader): Reader {
  return (text) => {
    try {
      return read(text);
    } catch (error) {
      return error;
    }
  };
}

const unionOfValibot = v.union([v.number(), v.boolean()]);

function unionIssue(instancePath: string): readonly CheckIssue[] {
  return [
    { keyword: "type", schemaPath: "#/items/anyOf/0/type", instancePath },
    { keyword: "anyOf", schemaPath: "#/items/anyOf", instancePath },
  ];
}

const signer = new TextSigner(["x".repeat(32)]);

/** The rooms that read nothing but the application: its declarations, patterns and names. */
export const ofApplications: RegExp = /^(?:application|openapi|semantics\/(?:declaration|operation))\//;

/** Each folder with its files; a function is named by what exports it. */
export const folders: Readonly<Record<string, Table>> = {
  semantics: {
    "semantics-application": { Application: byLine },
    "line-resource": { planAt: "takes what was matched", audienceAt: "takes what was matched" },
    "line/form-reader": { FormReader: "counts what it reads: delimiter.test.ts" },
    "line/allowed": { Allowed: ofApp, allowedAt: ofApp },
    "line/answer-under-way": { AnswerUnderWay: inField("/required/none", "prefer", "", "PUT") },
    "line/cache-for": { cacheFor: ofHandlers },
    "line/declared-answer": {
      declaredAnswer: inField("/required/none", "prefer", "", "PUT"),
      answeredBy: ofHandlers,
    },
    "declaration/opened-values": { OpenedValues: ofHandlers, isOpened: ofHandlers, openedBy: ofHandlers },
    "line/line-call": { LineCall: byLine, pathEntriesOf: byLine },
    "line/perform": {
      perform: [
        inQuery(""),
        inQuery("n=5&"),
        inQuery("n="),
        inField("/fields", "cookie"),
        inField("/fields", "cookie", "sid=abc; size="),
        inField("/fields", "x-count"),
        inField("/media", "accept"),
        inField("/content/optional", "content-type", "application/json;", "POST"),
        inField("/content/optional", "content-encoding", "identity, ", "POST"),
        inField("/conditional/current", "if-match"),
        inField("/ranges", "range", "bytes="),
        (text) => table.fetch(new Request(`http://localhost/conditional/${text.replaceAll(/[^\w.-]/g, ".")}`)),
      ],
    },
    "line/fitted-part": { refusedFor: ofApp },
    "line/read-taken": {
      takenMedia: byLine,
    },
    "line/request-conditions": {
      acceptable: inField("/media/refused", "accept"),
      notAcceptable: byLine,
    },
    "line/written-content": {
      typedText: ofHandlers,
    },
    "line/typed-content": {
      mediumFor: ofHandlers,
      preferredOf: byLine,
    },
    "line/plain-answer": { plainAnswerOf: ofApp },
    "line/plan": { planOf: ofApp, validatorsAs: byLine },
    "line/line-trace": { Trace: "by explained()" },
    "line/read-content": {
      readContent: [
        inContent("/content/json", "application/json", (text) => text),
        inContent("/content/json", "application/json", (text) => JSON.stringify({ text, stars: text })),
        inContent("/content/json", "application/json", (text) => JSON.stringify(text.split("a"))),
        inContent("/content/form", "application/x-www-form-urlencoded", (text) => text.replaceAll(/[,;]/g, "&")),
        inContent("/content/form", "multipart/form-data; boundary=b", (text) => `--b\r\n${text}`),
      ],
    },
    "line/concluded-response": {
      cancel: "takes a stream",
      concludedAnswer: [inField("/ranges", "range"), inField("/tagged", "if-none-match")],
    },
    connected: { connected: "takes the path that a test writes" },
    explained: { explained: explainedBy },
    "semantics-resource": { Resource: byLine },
  },
  "json-schema": {
    "answer/answer-branch": {
      branchOf: ofHandlers,
      anyOf: ofHandlers,
      isSomething: ofHandlers,
      memberOf: ofHandlers,
      otherOf: ofHandlers,
    },
    "library/check-branches": {
      withBranches: [(text) => withBranches([...text].map((_, at) => unionIssue(`/${at}`)).flat(), {})],
    },
    "library/valibot-branches": {
      valibotBranchesOf: [
        (text) => valibotBranchesOf(unionOfValibot, [], text),
        (text) => valibotBranchesOf(unionOfValibot, [], text.split("a")),
      ],
    },
    "library/branch-members": {
      namedByBranches: (text) => namedByBranches(unionOfValibot, [], { [text]: text, a: text.split("a") }, 2),
    },
    "answer/answer-fitting": { Fitting: ofHandlers },
    "answer/answer-plan": { AnswerPlan: ofHandlers },
    "answer/answer-shape": {
      isPrimitive: ofApp,
    },
    "answer/later-shapes": { LaterShapes: ofApp },
    "library/issue-words": {
      expectationOf: (text) => expectationOf({ message: text, expected: text }, "zod"),
      withoutQuote: [
        (text) => withoutQuote({ message: text }, "valibot"),
        (text) => withoutQuote({ message: text, problem: text }, "arktype"),
      ],
      wordsOf: (text) => wordsOf({ message: text, code: text }, "zod"),
    },
    "library/issues": {
      failuresOf: [
        (text) => failuresOf("content", { vendor: "zod", sent: { a: text }, issues: [{ message: text, path: ["a"] }] }),
        (text) =>
          failuresOf("query", { vendor: "valibot", sent: text, issues: [{ message: `${text} but received x` }] }),
        (text) => failuresOf("query", { vendor: "arktype", sent: text, issues: [{ message: text, path: [text] }] }),
        (text) => {
          const sent = text.split(",");
          return failuresOf("content", {
            vendor: "",
            sent,
            issues: sent.map((message, at) => ({ message, path: [at] })),
          });
        },
        (text) => {
          const unread = text.split("a").map((name) => ({ path: [name], detail: "Expected a number" }));
          return failuresOf("query", { vendor: "zod", sent: {}, issues: [], unread });
        },
      ],
    },
    "answer/json-value": { isUnwritable: ofHandlers, isWrittenExactly: ofHandlers },
    "text/parsed-json": {
      parseJsonContent: [
        parseJsonContent,
        (text) => parseJsonContent(JSON.stringify(text)),
        (text) => parseJsonContent(JSON.stringify(text.split("a"))),
        (text) => parseJsonContent(`{"constructor":${JSON.stringify(text)}}`),
        (text) => parseJsonContent(`"${text.replaceAll(/["\\]/g, "")}\\ud83d\\ude00"`),
        (text) => parseJsonContent("[".repeat(text.length)),
        (text) => parseJsonContent(`[${'"\\ud83d\\ude00",'.repeat(text.length / 16)}1]`),
        (text) => parseJsonContent(`[${'{"constructor":{}},'.repeat(text.length / 16)}1]`),
        (text) => parseJsonContent(`[${"1234567890123450,".repeat(text.length / 16)}1]`),
      ],
    },
    "library/quotes": {
      Quotes: [
        (text) => new Quotes({ a: text }).has(text, ["a"], () => new Set()),
        (text) => new Quotes(text.split(",")).has("a message", ["0"], () => new Set()),
        (text) => new Quotes(text.split("a")).has(text.slice(0, 500), [], () => new Set()),
      ],
    },
    "library/raw-schema": {
      jsonSchema: [
        (text) =>
          jsonSchema({}, () => [{ message: text, path: text.replaceAll("/", "/name") }])["~standard"].validate(text),
        (text) => jsonSchema({}, () => true)["~standard"].validate(text.split("a")),
        (text) => jsonSchema({}, () => true)["~standard"].validate(Object.fromEntries([...text].entries())),
      ],
    },
    "library/read-only-members": {
      ReadOnlyMembers: [
        (text) => readOnly.leaveOut({ a: text, b: text }, { a: text, b: text }),
        (text) => readOnly.leaveOut({ l: text.split("a") }, { l: text.split("a") }),
      ],
    },
    "text/text-reader": {
      TextReader: [
        (text) => readers.query.readUrlEncoded(text),
        (text) => readers.query.readUrlEncoded(`list=1&${text.replaceAll(",", "&list=")}`),
        (text) => readers.query.readUrlEncoded(text.replaceAll("a", "n=&")),
        (text) => readers.open.readUrlEncoded(text.replaceAll(";", "&")),
        (text) => readers.form.readForm(text.split("a").map((name) => [name, name] as const)),
        (text) => readers.form.readEntries([["list", text]]),
        (text) => readers.headers.readNamed(new Map([["n", text]])),
      ],
    },
    "text/text-reading": {
      Unreadable: ofApp,
      readingOf: [number, (text) => number(`-1${text}`), either, json, (text) => json(JSON.stringify({ a: text }))],
    },
    "text/text-shape": { TextShapes: ofApp },
    "text/text-values": {
      addValue: (text) => {
        const values = emptyValues();
        for (const part of text.split("a")) addValue(values, "name", part);
      },
      addUrlEncoded: [
        (text) => addUrlEncoded(emptyValues(), text),
        (text) => addUrlEncoded(emptyValues(), text.replaceAll(/[,;]/g, "&")),
        (text) => addUrlEncoded(emptyValues(), `%${text}`),
      ],
    },
    "value/json-pointer": {
      pointerOf: [(text) => pointerOf([text]), (text) => pointerOf(text.split("a"))],
      pathOf: (text) => pathOf(text.replaceAll("/", "/name")),
      decodedFragment: ofApp,
      tokenOf: ofApp,
    },
    "shape/json-schema": {
      schemaAt: ofApp,
      isJsonSchema: ofApp,
      listOf: ofApp,
      namedOf: ofApp,
      keywordOf: ofApp,
      expressionOf: ofApp,
    },
    "shape/fallback-members": { hasFallback: (text) => hasFallback(z.object({ page: z.int().catch(1) }), text) },
    "shape/lenient-options": { lenientOptionsOf: ofApp },
    "shape/schema-members": { namesIn: ofApp, schemaMembersOf: ofApp },
    "shape/schema-node": { nodeOf: ofApp, branchesIn: ofApp },
    "library/place-of-page": { checkPlace: ofApp },
    "library/zod-outline": { definitionOf: ofApp },
    "shape/member-conversion": { moved: ofApp },
    "shape/validation": { validated: byLine },
    "shape/standard-schema": {
      isSchema: ofApp,
      jsonSchemaOf: ofApp,
      probed: ofApp,
    },
    "value/equal-json": {
      canonicalJson: (text) => canonicalJson({ [text]: text, l: text.split("a") }),
      isEqualJson: [(text) => isEqualJson({ a: text.split("a") }, { a: text.split("a") }, { steps: Infinity })],
    },
    "value/json-patch": {
      jsonPatched: [
        refusing((text) => jsonPatched({}, [{ op: "test", path: `/${text}`, value: 1 }], 100)),
        refusing((text) => jsonPatched({}, [{ op: "add", path: "/a", value: text }], 100)),
        refusing((text) => jsonPatched(text.split("a"), [{ op: "copy", from: "", path: "/0" }], 1_000_000)),
        refusing((text) => jsonPatched({}, [{ op: "remove", path: "/~1".repeat(text.length / 8) }], 100)),
      ],
    },
    "value/merge-patch": {
      mergePatched: (text) => mergePatched({ a: text }, { b: { c: text.split("a") } }),
      isObject: "asks for a type",
    },
  },
  openapi: {
    page: {
      pageOf: [
        (text) => pageOf(about, { origin: "https://a.example", search: text, documentURL: "openapi.json" }),
        (text) => pageOf(about, { origin: `https://${text}`, search: "", documentURL: "openapi.json" }),
      ],
    },
    resources: {
      openapi: [
        (text) => documented.fetch(new Request(`http://localhost/docs?q=${text.replaceAll("#", "")}`)),
        (text) => documented.fetch(new Request("http://localhost/openapi.json", { headers: { accept: latin1(text) } })),
      ],
    },
  },
  content: {
    inbox: {
      lastEventIdOf: (text) => lastEventIdOf({ headers: headersWith("last-event-id", latin1(text)) } as Request),
    },
    "file-name": { isFileName: [isFileName, (text) => isFileName(`con${text}`)], isDotFile },
    "file-response": {
      fileResponse: [...["range", "if-match", "if-range"].map((name) => fileAsked(name)), fileAsked("range", "bytes=")],
    },
    folder: { folder: names, snapshot: names },
    "folder/folder-snapshot": { Snapshot: names },
    "folder/folder-scope": { scopeOf: ofApp, isAllowed: names, isInside: ofApp, mayBeCoded: names },
    "folder/seen-files": { SeenFiles: names },
    "folder/system-file-state": { SystemFileState: names },
    "folder/system-file": { statsAt: names },
    "media-types": { mediaTypeOfName: [mediaTypeOfName, (text) => mediaTypeOfName(`a.${text}`)] },
    mount: { mount: "hands requests on" },
    upgrade: { upgrade: inField("/fields", "x-count") },
    "uploads/disk": { disk: ofApp },
  },
  formats: {
    "pages/page-cursors": {
      PageCursors: [
        (text) => cursors.read(`cursor=${text}`, { pattern: "/books" }),
        (text) => cursors.read(`limit=${text}`, { pattern: "/books" }),
        (text) => cursors.read(`cursor=1.${text}.${text}`, { pattern: "/books" }),
        (text) => cursors.write({ items: [], next: text }, `q=${text}`, { pattern: "/books" }),
      ],
    },
    "pages/page-rules": { pageRulesOf: ofApp },
    "multipart/delimiter": { Delimiter: "counts what it reads: delimiter.test.ts" },
    "multipart/sink": { isSink: ofApp },
    "multipart/file-type": {
      fileTypeOf: "takes the first bytes",
      isAccepted: ofApp,
      isTextType: ofApp,
      checkTypes: ofApp,
    },
    "multipart/whole-form": { wholeParts: "counts what it reads: delimiter.test.ts" },
    "multipart/form-entries": { formEntriesOf: "counts what it reads: delimiter.test.ts" },
    "multipart/form-parameters": {
      boundaryOf: [
        refusing((text) => boundaryOf(`multipart/form-data; boundary=${text}`)),
        refusing((text) => boundaryOf(text)),
      ],
      formParametersOf: [
        refusing((text) => formParametersOf(`form-data${text}`, "form-data")),
        refusing((text) => formParametersOf(`form-data; name="${text}`, "form-data")),
        refusing((text) => formParametersOf(`form-data; name=${text}`, "form-data")),
      ],
    },
    "multipart/multipart-reader": {
      MultipartReader: "counts what it reads: delimiter.test.ts",
      malformed: ofApp,
    },
    "multipart/part-head": {
      parsePartHead: [
        refusing((text) => parsePartHead(new TextEncoder().encode(`content-disposition: form-data; name="${text}`))),
        refusing((text) => parsePartHead(new TextEncoder().encode(text))),
      ],
      textOf: (text) => textOf(new TextEncoder().encode(text)),
    },
  },
  http: {
    "answer/carried-answer": { Answer: ofHandlers, refusalAnswer: ofApp, finished: ofHandlers },
    "answer/field-list": { FieldList: ofHandlers, pairsOf: ofHandlers, headersInitOf: ofHandlers },
    "javascript/async-iterable": { isAsyncIterable: ofApp },
    "javascript/base64": { parseBase64 },
    "javascript/equal-text": { isEqualText: (text) => isEqualText(text, `${text}a`) },
    "javascript/base64url": { parseBase64url },
    "javascript/web-digest": { sha256Base64url },
    "javascript/builtin-module": { builtinModule: ofApp },
    "javascript/byte-length": { byteLengthOf },
    "javascript/text-signer": {
      areSecrets: ofApp,
      isSecret: ofApp,
      TextSigner: [(text) => signer.verify("a", text), (text) => signer.verify("a", `a.${text}`)],
    },
    "javascript/described": { described, inOneLine, kindOf, quoted, nameOf: ofApp },
    "message/framed-content": { notePassed: inputs },
    "message/process-feed": { isProcessFeed: ofApp },
    "javascript/property": {
      propertiesOf: ofApp,
      isPlainObject: ofApp,
    },
    "protocol/asked-store": { unavailable: ofApp },
    "protocol/host": {
      isHost: [isHost, (text) => isHost(`[${text}`)],
      parsedURL: [parsedURL, (text) => parsedURL(`http://${text}`), (text) => parsedURL(`http://h/${text}`)],
    },
    "protocol/http-error": {
      HTTPError: (text) => new HTTPError({ status: 400, statusText: "x" } as never, text),
      refusal: ofApp,
    },
    "javascript/any-signal": { AnySignal: ofApp },
    "javascript/word-set": { wordSet: ofApp },
    "javascript/any-realm": {
      isArrayBuffer: inputs,
      isBlob: inputs,
      isBytes: inputs,
      isDate: inputs,
      isError: inputs,
      isHeaders: inputs,
      isSignal: inputs,
      isStream: inputs,
      isURL: inputs,
      isWebRequest: inputs,
    },
    "protocol/method": { isMethod },
    "javascript/option-check": { OptionCheck: ofApp, requireTime: ofApp },
    "message/response": {},
    "message/response-head": { headOf: ofApp, hasType: ofApp },
    "message/resumed-content": { checkedChunk: ofApp },
    "message/streamed-values": { streamedValues: ofApp },
    "message/server-sent-event": { isServerSentEvent: ofApp },
    "message/shared-content": { SharedContent: "takes bytes" },
    "message/utf8-text": { utf8Text: (text) => utf8Text(new TextEncoder().encode(text), "It") },
    "protocol/status-constant": { isStatus: ofApp },
  },
  "middleware/lib": {
    "client-address": {
      clientNetworkOf: (["x-forwarded-for", "forwarded"] as const).map((forwardedHeader): Reader => (text) => {
        const headers = headersWith(forwardedHeader, latin1(text));
        return clientNetworkOf({ headers }, { trustedHops: 1, forwardedHeader, address: () => "192.0.2.1" } as never);
      }),
    },
    "coding-tags": {
      withOriginals: (text) =>
        withOriginals({ headers: new Headers() }, "PUT", { ifMatch: text, ifNoneMatch: `"${text}~gzip"` }),
      readBack: (text) => readBack({ headers: headersWith("if-match", latin1(text)) }, "PUT"),
    },
    "cookie-jar": { OpenCookieJar: "through cookies()" },
    "late-result": { discardLate: ofApp },
    "entity-tags": {
      withVersions: (text) => withVersions(latin1(text)),
      originalTag: (text) =>
        originalTag({ isWeak: false, opaque: latin1(text) }, headersWith("content-encoding", "gzip")),
    },
    fields: { HeadersFields: ofApp, NodeFields: ofApp },
    "bound-tokens": { BoundTokens: "through jwt()" },
    "dpop-nonces": { DpopNonces: (text) => nonces.ageOf(text) },
    "dpop-proof": {
      readProof: (text) => readProof(text, { method: "GET", url: "http://h/", token: "a" }, ["ES256"], 0),
    },
    "token-credentials": { schemeIn: "through bearer()", tokenIn: "through bearer()" },
    "json-web-key": { isVerifying: ofApp },
    "jwt-key": { checkAlgorithms: ofApp, checkKey: ofApp },
    instruments: { Instrument: ofApp },
    limiter: { consume: "through rateLimit()" },
    outcome: { statusOf: ofApp, declaredBytesOf: ofApp, errorStatusOf: ofApp, reasonOf: ofApp },
    "own-lines": { putOwnLines: ofApp },
    "published-keys": { isTrustworthy: ofApp },
    "response-fields": {
      withFields: ofApp,
      responseOf: ofApp,
    },
    secrets: { Secrets: (text) => new Secrets(new Map([["a", 1]])).find(text) },
    "stale-range": {
      isRangeStale: (text) => {
        const headers = headersWith("if-range", latin1(text));
        headers.set("range", "bytes=0-1");
        return isRangeStale({ headers }, { etag: null, lastModified: new Date(0) });
      },
      isVersionStale: (text) => {
        const headers = headersWith("if-range", latin1(text));
        headers.set("range", "bytes=0-1");
        return isVersionStale({ headers }, { etag: { isWeak: false, opaque: "7" }, lastModified: null });
      },
      isUnsatisfiable: ofApp,
    },
  },
  dispatch: {
    "late-error": { reportLateError: ofHandlers },
    "further-request": { runFurther: inputs, chainBesides: ofApp },
    guarded: { guardsIn: ofApp },
    "own-handler": { isOwnHandler: ofApp },
    dispatcher: {
      Dispatcher: (text) => table.fetch(new Request(`http://localhost/${encodeURI(text)}`)),
    },
    "error-response": {
      isServerFault: ofHandlers,
      saysThatClientLeft: ofHandlers,
      // Middleware puts what a client sent into messages and fields.
      writtenProblem: "by errorAnswer()",
      errorAnswer: (text) => errorAnswer(new HTTPError(Status.NotFound, text), null, {}),
      errorResponse: (text) => errorResponse(new HTTPError(Status.NotFound, text), null, {}),
      addLeft: (text) => addLeft(new Headers(), headersWith("vary", latin1(text))),
      reportServerFault: "cuts what it prints of a client, after pathIn()",
      print: ofHandlers,
      isCausedBy: ofHandlers,
    },
    exchange: { Exchange: inputs },
    "failed-within": { noteFailure: "takes an error" },
    "input-exchange": {
      exchangeFor: inputs,
      exchangesOf: inputs,
      exchangeAt: inputs,
    },
    "load-limit": { LoadLimit: ofApp },
    "fetch-response": {
      fetchResponse: ofHandlers,
      observedAnswer: ofHandlers,
      describedResult: ofHandlers,
      isResponseLike: ofHandlers,
    },
    input: {
      inputURLOf: (text) => inputURLOf({ url: text }),
      methodOf: (text) => methodOf({ method: text }),
      pathIn: [pathIn, (text) => pathIn(`http://${text}`)],
      parsedPathStart: [parsedPathStart, (text) => parsedPathStart(`http://${text}`)],
      serializedPathStart: (text) => serializedPathStart(anyRequest, `http://${text}`),
    },
    "mounted-resource": {
      mountable: ofApp,
      isMountable: ofApp,
      MountedResource: ofApp,
      MountedPattern: ofApp,
    },
    next: {
      next: inputs,
      drop: inputs,
    },
    params: { Params: "by Dispatcher" },
    "sent-input": {
      sentBy: inputs,
      sharedUrlForm: [
        sharedUrlForm,
        (text) => sharedUrlForm(`http://${text}`),
        (text) => sharedUrlForm(`http://h/${text}`),
      ],
    },
    "replaced-input": { replacedInput: (text) => replacedInput({ url: text, method: "GET" }, {}) },
  },
  "servers/node": {
    content: {
      hasContent: (text) => nodeContent.hasContent(messageWith("content-length", text), nodeResponse),
    },
    "node-request": { lightRequestOf: inputs },
    "server-message": { ServerMessage: inputs },
    refusing: { refuse: ofHandlers },
    "incoming-request": {
      requestOf: [
        (text: string) => nodeRequest.requestOf(messageWith("x-a", "", `/${text}`), nodeResponse, false),
        (text: string) => nodeRequest.requestOf(messageWith("x-a", "", `http://${text}`), nodeResponse, false),
      ].map((read: Reader) => refusing(read)),
      hostOf: [
        (text: string) => nodeRequest.hostOf(messageWith("host", text)),
        (text: string) => nodeRequest.hostOf(messageWith("host", `a.${text}`)),
        (text: string) => nodeRequest.hostOf(messageWith("host", `[${text}]`)),
      ].map((read: Reader) => refusing(read)),
    },
    "response-writing": { sendWhole: ofHandlers },
    "whole-request": {
      headersOf: refusing((text) => nodeWholeRequest.headersOf(messageWith("x-a", latin1(text)))),
    },
    stream: {
      letGo: ofHandlers,
    },
  },
  "routing/request": {
    "target-path": {
      originEnd: [target.originEnd, (text) => target.originEnd(`http://${text}`)],
      pathStart: [target.pathStart, (text) => target.pathStart(`http://${text}`)],
      isPlainPath: (text) => target.isPlainPath(text, 0, text.length),
      isCanonicalPath: (text) => target.isCanonicalPath(text, 0, text.length),
      isPlainUrl: (text) => target.isPlainUrl(text, 0, text.length),
      hasDotSegment: (text) => target.hasDotSegment(`/${text}`, 0, text.length),
      isDotSegment: (text) => target.isDotSegment(text, 0, text.length),
      pathOf: [
        (text) => target.pathOf(text),
        (text) => target.pathOf(`/${text}`),
        (text) => target.pathOf(`http://${text}`),
      ],
      queryOf: [target.queryOf, (text) => target.queryOf(`/?${text}`)],
    },
  },
};
