// Asks applications in the process, by `fetch()` and `handle()`.
import { begin } from "./fixed.js";
import { answerLines, errorLines, nameOf, noteLines, requestLines } from "./exchange.js";

const url = "http://h.example";

/** Sends what is asked to an application, one after the other; `sent` is in each request. */
export async function askByFetch(recording, prefix, app, asked, notes, { sent = {}, how = "fetch" } = {}) {
  let cookie;
  for (const one of asked) {
    const name = `${prefix} · ${nameOf(one)}`;
    begin(name);
    notes.length = 0;
    const answer = [];
    try {
      const response = await app[how](requestOf(one, sent, cookie));
      answer.push(...(await responseLines(response)));
      cookie = response.headers?.getSetCookie?.()[0]?.split(";")[0] ?? cookie;
    } catch (error) {
      answer.push(...errorLines(error));
    }
    await app.settled?.();
    await turn();
    recording.add(name, [requestLines(one), answer, noteLines(notes)]);
  }
}

/** The end of what began meanwhile. */
export function turn() {
  return new Promise((resolve) => setImmediate(resolve));
}

export function requestOf({ method, path, headers = {}, body, isSigned = false }, sent, cookie) {
  const fields = { ...sent, ...headers, ...(isSigned && cookie !== undefined && { cookie }) };
  return new Request(url + path, { method, headers: fields, ...(body !== undefined && { body }) });
}

/** The lines of a Response. Content that is coded is decoded: coders differ by their version. */
export async function responseLines(response) {
  const { status, statusText } = response;
  const fields = [...response.headers];
  let content = new Uint8Array();
  const after = [];
  try {
    content = await contentOf(response);
  } catch (error) {
    after.push(`< broken off: ${error?.constructor?.name} ${error?.message}`);
  }
  const peer = response.webSocket === undefined ? [] : ["< with a WebSocket"];
  return [...answerLines(`${status} ${statusText}`.trim(), fields, content), ...peer, ...after];
}

async function contentOf(response) {
  if (response.body === null) return new Uint8Array();
  const isCoded = response.headers.get("content-encoding") === "gzip";
  const chunks = [];
  const stream = isCoded ? response.body.pipeThrough(new DecompressionStream("gzip")) : response.body;
  for await (const chunk of stream) chunks.push(...chunk);
  return Uint8Array.from(chunks);
}
