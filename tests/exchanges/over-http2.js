// Asks by HTTP/2, in one session for each application.
import { once } from "node:events";
import { connect } from "node:http2";
import { gunzipSync } from "node:zlib";
import { answerLines, nameOf, noteLines, requestLines } from "./exchange.js";

/** Sends what is asked, and records what came back; `control` begins an exchange and has its notes. */
export async function askByHttp2(recording, prefix, port, asked, control, { sent = {} } = {}) {
  const session = connect(`http://127.0.0.1:${port}`);
  let cookie;
  for (const one of asked) {
    const name = `${prefix} · ${nameOf(one)}`;
    await control.begin(name);
    const { lines, fields } = await answered(session, one, sent, cookie);
    cookie = fields.find(([field]) => field === "set-cookie")?.[1].split(";")[0] ?? cookie;
    recording.add(name, [requestLines(one), lines, noteLines(await control.notes())]);
  }
  session.close();
  await once(session, "close");
}

async function answered(session, { method, path, headers = {}, body, isSigned = false }, sent, cookie) {
  const fields = {
    ":method": method,
    ":path": path,
    ":authority": "h.example",
    ...sent,
    ...headers,
    ...(isSigned && cookie !== undefined && { cookie }),
  };
  const stream = session.request(fields, { endStream: body === undefined });
  if (body !== undefined) stream.end(body);
  let raw = [];
  const chunks = [];
  const after = [];
  stream.on("response", (_fields, _flags, list) => (raw = pairsOf(list)));
  stream.on("data", (chunk) => chunks.push(chunk));
  stream.on("error", (error) => after.push(`< ${error.code} ${error.message}`));
  await new Promise((resolve) => stream.once("close", resolve));
  if (stream.rstCode !== 0) after.push(`< reset by ${stream.rstCode}`);
  const status = raw.find(([name]) => name === ":status")?.[1] ?? "none";
  const content = Buffer.concat(chunks);
  const isCoded = raw.some(([name, value]) => name === "content-encoding" && value === "gzip") && content.length > 0;
  const shown = raw.filter(([name]) => name !== ":status" && !(isCoded && name === "content-length"));
  return { lines: [...answerLines(status, shown, isCoded ? gunzipSync(content) : content), ...after], fields: raw };
}

function pairsOf(list) {
  return Array.from({ length: list.length / 2 }, (_, at) => [list[2 * at], list[2 * at + 1]]);
}
