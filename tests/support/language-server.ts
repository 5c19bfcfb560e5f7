// What an editor asks of TypeScript: a language server that is told of open files, and lists what completes at a place.
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** A program whose cursor is where `place` characters of it are in front. */
export interface Place {
  readonly file: string;
  readonly text: string;
  readonly place: number;
}

/** A language server of TypeScript. */
export interface LanguageServer {
  /** The version of TypeScript. */
  readonly version: string;
  /** Opens a file, or replaces its text. */
  open(file: string, text: string): Promise<void>;
  /** Returns the names that complete at a place of an open file. */
  completions(at: Place): Promise<readonly string[]>;
  /** Returns what is shown where the cursor rests: the signature, without the text about it. */
  hover(at: Place): Promise<string>;
  /** The id of its process. */
  readonly pid: number;
  close(): void;
}

/** Starts the language server of a TypeScript, by the folder of the package. */
export async function languageServer(folder: string): Promise<LanguageServer> {
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string };
  if (Number.parseInt(version) < 7) return oldServer(version, join(folder, "lib/tsserver.js"));
  const found = (await import(pathToFileURL(join(folder, "lib/getExePath.js")).href)) as { default(): string };
  return protocolServer(version, found.default());
}

/** Before version 7, TypeScript has a protocol of its own. */
function oldServer(version: string, path: string): LanguageServer {
  const child = spawn(process.execPath, [path, "--disableAutomaticTypingAcquisition"]);
  const waiting = new Map<number, (answer: Answer) => void>();
  let count = 0;
  receive(child, (message) => waiting.get(message.request_seq!)?.(message as Message & Answer));
  const tell = (command: string, given: object): number => {
    child.stdin.write(`${JSON.stringify({ seq: ++count, type: "request", command, arguments: given })}\n`);
    return count;
  };
  const ask = async (command: string, given: object): Promise<unknown> => {
    const { success, body, message } = await new Promise<Answer>((resolve) => {
      waiting.set(tell(command, given), resolve);
    });
    if (!success && message !== "No content available.") throw new Error(`${command}: ${message}`);
    return body;
  };
  return {
    version,
    pid: child.pid!,
    async open(file, text) {
      await ask("updateOpen", { openFiles: [{ file, fileContent: text }] });
    },
    async completions({ file, text, place }) {
      const { line, character } = positionOf(text, place);
      const given = { file, line: line + 1, offset: character + 1, triggerKind: 1 };
      const found = (await ask("completionInfo", given)) as { entries: { name: string }[] } | undefined;
      return (found?.entries ?? []).map((entry) => entry.name);
    },
    async hover({ file, text, place }) {
      const { line, character } = positionOf(text, place);
      const found = await ask("quickinfo", { file, line: line + 1, offset: character + 1 });
      return (found as { displayString: string }).displayString;
    },
    close: () => void child.kill(),
  };
}

interface Answer {
  readonly success: boolean;
  readonly body?: unknown;
  readonly message?: string;
}

/** From version 7 on, TypeScript speaks the Language Server Protocol. */
async function protocolServer(version: string, path: string): Promise<LanguageServer> {
  const child = spawn(path, ["--lsp", "--stdio"]);
  const waiting = new Map<number, (answer: Reply) => void>();
  const opened = new Map<string, number>();
  let count = 0;
  const send = (message: object): void => {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };
  receive(child, (message) => {
    // What the server asks of an editor: it has no settings, and registers nothing.
    if (message.method !== undefined) {
      if (message.id !== undefined) send({ id: message.id, result: null });
    } else waiting.get(message.id!)?.(message as Message & Reply);
  });
  const ask = async (method: string, params: object): Promise<unknown> => {
    const { result, error } = await new Promise<Reply>((resolve) => {
      waiting.set(++count, resolve);
      send({ id: count, method, params });
    });
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  const capabilities = { textDocument: { hover: { contentFormat: ["markdown"] } } };
  await ask("initialize", { processId: process.pid, rootUri: null, capabilities });
  send({ method: "initialized", params: {} });
  return {
    version,
    pid: child.pid!,
    async open(file, text) {
      const uri = pathToFileURL(file).href;
      const known = opened.get(file) ?? 0;
      opened.set(file, known + 1);
      const textDocument = { uri, version: known + 1 };
      if (known > 0) {
        send({ method: "textDocument/didChange", params: { textDocument, contentChanges: [{ text }] } });
      } else {
        const document = { ...textDocument, languageId: "typescript", text };
        send({ method: "textDocument/didOpen", params: { textDocument: document } });
      }
    },
    async completions({ file, text, place }) {
      const textDocument = { uri: pathToFileURL(file).href };
      const position = positionOf(text, place);
      const found = await ask("textDocument/completion", { textDocument, position, context: { triggerKind: 1 } });
      const items = (Array.isArray(found) ? found : ((found as { items: unknown[] } | null)?.items ?? [])) as {
        label: string;
      }[];
      return items.map((item) => item.label);
    },
    async hover({ file, text, place }) {
      const textDocument = { uri: pathToFileURL(file).href };
      const found = await ask("textDocument/hover", { textDocument, position: positionOf(text, place) });
      return /^```\w*\n(.*?)\n```/s.exec((found as { contents: { value: string } }).contents.value)![1]!;
    },
    close: () => void child.kill(),
  };
}

interface Reply {
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly request_seq?: number;
}

/** Reads messages, each after a line that says how long it is. */
function receive(child: ChildProcessWithoutNullStreams, take: (message: Message) => void): void {
  let bytes = Buffer.alloc(0);
  child.stdout.on("data", (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    for (;;) {
      const end = bytes.indexOf("\r\n\r\n");
      const length = Number(/Content-Length: (\d+)/i.exec(bytes.subarray(0, Math.max(end, 0)).toString())?.[1] ?? NaN);
      if (end < 0 || bytes.length < end + 4 + length) return;
      const text = bytes.subarray(end + 4, end + 4 + length).toString();
      bytes = bytes.subarray(end + 4 + length);
      take(JSON.parse(text) as Message);
    }
  });
}

function positionOf(text: string, place: number): { line: number; character: number } {
  const lines = text.slice(0, place).split("\n");
  return { line: lines.length - 1, character: lines.at(-1)!.length };
}
