import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { request as begin } from "node:http";
import { connect, type ClientHttp2Session } from "node:http2";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { payloads, propertiesIn } from "../security/pollution.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "fingerpost-"));
const program = join(folder, "program.mjs");

/** With these on all objects no program runs at all. */
const ofTheLanguage = new Set("then get set value writable enumerable configurable toJSON return throw".split(" "));
// `new Response("text")` of Node reads it of the options that it was not given.
ofTheLanguage.add("headers");

/** What is looked for on objects of Node, of hosts and of clients that may not have it. */
const optional =
  "stream _toNodeResponse encrypted pending destroy close body build req socket session maxHeadersCount rawBody " +
  "setSecureContext size fd path :authority host content-length transfer-encoding __light httpVersionMajor";

/** All that the server reads from objects: `FINGERPOST_POLLUTION=all` tries each, in minutes. */
const every = ["servers", "servers/node", "http"]
  .flatMap((at) => readdirSync(`${root}src/${at}`).map((file) => `${root}src/${at}/${file}`))
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
  .flatMap((file) => propertiesIn(readFileSync(file, "utf8")));

const names = [
  ...new Set([...optional.split(" "), ...(process.env["FINGERPOST_POLLUTION"] === "all" ? every : [])]),
].filter((name) => !ofTheLanguage.has(name) && !(name in Object.prototype));

beforeAll(async () => {
  await build({
    entryPoints: [`${root}tests/servers/polluted-program.ts`],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "error",
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Process {
  readonly child: ChildProcess;
  readonly ports: readonly number[];
  readonly sessions: readonly ClientHttp2Session[];
  /** Adds a property to all objects in place of that before, and gives what surfaced meanwhile. */
  pollute(name: string, kind?: string): Promise<string>;
}

async function started(): Promise<Process> {
  const child = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "ignore"] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => {
    const { value, done } = await lines.next();
    return done === true ? "the process ended" : JSON.parse(value);
  };
  const ports = (await next()) as number[];
  const sessions = [1, 3, 5].map((at) => connect(`http://127.0.0.1:${ports[at]}`).on("error", () => {}));
  return {
    child,
    ports,
    sessions,
    async pollute(name, kind = "") {
      child.stdin.write(`${name} ${kind.replaceAll(" ", "_")}\n`);
      const late = new Promise((resolve) => setTimeout(resolve, patience, "no word").unref());
      return (await Promise.race([next(), late])) as string;
    },
  };
}

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
const patience = 1500;

async function overHttp1(port: number, method: string): Promise<string> {
  const content = method === "POST" || method === "PUT" ? "content" : undefined;
  const exchange = begin({ host: "127.0.0.1", port, method, path: "/items", headers: { "x-a": "1" }, agent: false });
  exchange.on("error", () => {}).setTimeout(patience, () => exchange.destroy(new Error("no answer")));
  try {
    const [response] = await once(exchange.end(content), "response", { signal: AbortSignal.timeout(patience) });
    const { statusCode, headers } = response;
    delete headers.date;
    return `${method} ${statusCode} ${JSON.stringify(headers)} ${await text(response)}`;
  } catch (error) {
    return `${method} ${String(error)}`;
  }
}

async function overHttp2(session: ClientHttp2Session, method: string): Promise<string> {
  const content = method === "POST" || method === "PUT" ? "content" : undefined;
  try {
    const stream = session.request({ ":method": method, ":path": "/items", "x-a": "1" }, { endStream: !content });
    stream.on("error", () => {}).setTimeout(patience, () => stream.destroy(new Error("no answer")));
    if (content !== undefined) stream.end(content);
    const [headers] = await once(stream, "response", { signal: AbortSignal.timeout(patience) });
    delete headers.date;
    const late = new Promise((resolve) => setTimeout(resolve, patience, "no end").unref());
    return `${method} ${JSON.stringify(headers)} ${await Promise.race([text(stream), late])}`;
  } catch (error) {
    return `${method} ${String(error)}`;
  }
}

type Digests = Record<"plain" | "native" | "polyfill", string>;

async function digests({ ports, sessions }: Process): Promise<Digests> {
  const [plain, native, polyfill] = await Promise.all(
    [0, 1, 2].map(async (at) => {
      const all = methods.flatMap((method) => [overHttp1(ports[2 * at]!, method), overHttp2(sessions[at]!, method)]);
      return (await Promise.all(all)).join("\n");
    }),
  );
  return { plain: plain!, native: native!, polyfill: polyfill! };
}

function end({ child, sessions }: Process): void {
  for (const session of sessions) session.destroy();
  child.kill();
}

describe("a server whose objects all have a property more", () => {
  it.each(Object.keys(payloads))("answers as before, and goes on: %s", { timeout: 300_000 }, async (kind) => {
    let server = await started();
    const expected = await digests(server);
    const faults: string[] = [];
    let tried = 0;
    for (const name of names) {
      const before = await server.pollute(name, kind);
      const seen = await digests(server);
      const surfaced = await server.pollute("-");
      // Where Node's own server does not answer as before, nothing can be said of ours.
      const isFair = before === "" && seen.plain === expected.plain;
      if (isFair) {
        tried++;
        for (const chain of ["native", "polyfill"] as const) {
          if (seen[chain] !== expected[chain]) faults.push(`${name} changes the ${chain} module: ${seen[chain]}`);
        }
        if (surfaced !== "") faults.push(`${name} surfaces: ${surfaced}`);
      }
      if (isFair && surfaced === "") continue;
      end(server);
      server = await started();
    }
    end(server);
    expect(tried).toBeGreaterThan(names.length / 2);
    expect(faults).toEqual([]);
  });
});
