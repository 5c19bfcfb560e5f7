import type { CallToolResult } from "@modelcontextprotocol/server";
import { parseMediaType } from "../fields/media-type.ts";
import { discard } from "../http/message/discarded-content.ts";
import { formatBase64 } from "../http/javascript/base64.ts";
import { isPlainObject } from "../http/javascript/property.ts";
import { JoinedBytes } from "../http/javascript/joined-bytes.ts";
import { registeredStatus } from "../http/protocol/status.ts";
import type { AgentTool } from "./agent-tool.ts";
import type { InputFault } from "./tool-input.ts";

type Block = CallToolResult["content"][number];

/** Does not say whether there is one that others may use. */
export const unknownTool = "There is no tool of this name that you may use";

/** Says what is wrong with the inputs of a call, without what was sent. */
export function refusedInputs(faults: readonly InputFault[]): CallToolResult {
  return mistake(["The tool was not called:", ...faults.map(lineOf)].join("\n"));
}

export function mistake(text: string): CallToolResult {
  return { isError: true, content: [{ type: "text", text }] };
}

/**
 * Makes the result of a tool of the response of its operation. A refusal is a result, too: it says what to mend. A
 * fault of the server says its status only.
 */
export async function resultOf(
  tool: AgentTool,
  response: Response,
  maxBytes: number,
  isCookieKept: (name: string) => boolean,
): Promise<CallToolResult> {
  const { status, headers } = response;
  const type = parseMediaType(headers.get("content-type") ?? "");
  const content = await read(response, maxBytes);
  // A part of an answer would be taken for the whole. The reason may name things that agents must not see.
  if (content === null) return mistake("The answer broke off");
  const { bytes, isCut } = content;
  if (status >= 400) return mistake(refusalOf(tool, response, jsonIn(bytes)));
  const essence = type === null ? "" : `${type.type}/${type.subtype}`;
  const isJson = essence === "application/json" || essence.endsWith("+json");
  const isText = isJson || essence.startsWith("text/");
  const notes = notesOf(status, headers, bytes.length === 0, isCookieKept);
  if (bytes.length === 0) return { content: notes };
  // A client that knows a schema takes no part for the whole.
  if (isCut && (tool.output !== null || !isText)) return mistake(tooLong(tool, maxBytes));
  if (isJson && tool.output !== null) {
    const value = jsonIn(bytes);
    const structured = tool.output.isWrapped ? { content: value } : value;
    const text = JSON.stringify(structured);
    return { content: [{ type: "text", text }, ...notes], structuredContent: structured as Record<string, unknown> };
  }
  const cut: Block[] = isCut ? [{ type: "text", text: `Cut. ${tooLong(tool, maxBytes)}` }] : [];
  return {
    content: [
      isText ? { type: "text", text: new TextDecoder().decode(bytes) } : blobOf(essence, bytes),
      ...cut,
      ...notes,
    ],
  };
}

/** What else an agent needs: where something new is, and the tag by which it changes what it read. */
function notesOf(status: number, headers: Headers, isEmpty: boolean, isCookieKept: (name: string) => boolean): Block[] {
  const fields = ["Location", "ETag", "Retry-After"].flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [`${name}: ${value}`];
  });
  // Agents keep no cookies: a session that begins here is lost.
  const lost = headers
    .getSetCookie()
    .map((line) => line.slice(0, line.indexOf("=")))
    .filter((name) => !isCookieKept(name));
  fields.push(...lost.map((name) => `The cookie ${name} of the answer is lost: agents keep none`));
  const said = isEmpty || status >= 300 ? [phraseOf(status), ...fields] : fields;
  return said.length === 0 ? [] : [{ type: "text", text: said.join("\n") }];
}

function blobOf(essence: string, bytes: Uint8Array): Block {
  const data = formatBase64(bytes);
  if (essence.startsWith("image/")) return { type: "image", data, mimeType: essence };
  if (essence.startsWith("audio/")) return { type: "audio", data, mimeType: essence };
  return { type: "resource", resource: { uri: "about:blank", mimeType: essence, blob: data } };
}

function refusalOf(tool: AgentTool, { status, headers }: Response, problem: unknown): string {
  const first = phraseOf(status);
  const retry = headers.get("retry-after");
  const later = retry === null ? [] : [`Retry after: ${retry}`];
  // What went wrong inside is nothing that an agent could mend.
  if (status >= 500) return [first, ...later].join("\n");
  if (!isPlainObject(problem)) return [first, ...later].join("\n");
  const { title, detail, errors } = problem as Readonly<Record<string, unknown>>;
  // The application has errors of its own, or this one declares its content.
  if (typeof title !== "string") return [first, JSON.stringify(problem), ...later].join("\n");
  const said = [title, detail].filter((text) => typeof text === "string" && !first.endsWith(text));
  const faults = (Array.isArray(errors) ? errors : [])
    .filter(isRequestFault)
    .map((error) => lineOf({ pointer: tool.input.pointerOf(error), detail: error.detail }));
  return [[first, ...said].join(": "), ...faults, ...later].join("\n");
}

interface RequestFault {
  readonly in: unknown;
  readonly pointer: string;
  readonly detail: string;
}

/** An application may have other errors of its own. */
function isRequestFault(value: unknown): value is RequestFault {
  if (!isPlainObject(value)) return false;
  const { pointer, detail } = value as Partial<RequestFault>;
  return typeof pointer === "string" && typeof detail === "string";
}

function lineOf({ pointer, detail }: InputFault): string {
  return `- ${pointer}: ${detail}`;
}

function tooLong({ input: { queryNames } }: AgentTool, maxBytes: number): string {
  const less = queryNames.length === 0 ? "" : `; ask for less by ${queryNames.join(", ")}`;
  return `The answer has more than ${maxBytes} bytes${less}`;
}

function phraseOf(status: number): string {
  return `${status} ${registeredStatus(status)?.statusText ?? ""}`.trim();
}

function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
  } catch {
    return undefined;
  }
}

/** Reads content up to a bound. The rest is not read. Null where it breaks off. */
async function read(response: Response, maxBytes: number): Promise<ReadContent | null> {
  const joined = new JoinedBytes(maxBytes);
  const reader = response.body?.getReader();
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? nothing;
      if (done) return { bytes: joined.bytes, isCut: false };
      const room = maxBytes - joined.length;
      joined.add(value.subarray(0, room));
      if (value.length > room) break;
    }
  } catch {
    return null;
  }
  reader!.releaseLock();
  discard(response);
  return { bytes: joined.bytes, isCut: true };
}

const nothing = { done: true, value: undefined } as const;

interface ReadContent {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly isCut: boolean;
}
