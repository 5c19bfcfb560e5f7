// Serves one of the five on Bun or Deno, and prints the port: `bun tests/clients/servers/main.ts git FOLDER`.
import { argv } from "node:process";
import { gitServer } from "./git.ts";
import { npmRegistry } from "./npm.ts";
import { ociRegistry } from "./oci.ts";
import { otlpReceiver } from "./otlp.ts";
import { s3Server } from "./s3.ts";

type Fetch = (request: Request) => Response | Promise<Response>;

const users = new Map([["ada", "secret"]]);
const servers: Readonly<Record<string, (folder: string) => { readonly fetch: Fetch }>> = {
  git: gitServer,
  npm: () => npmRegistry(users),
  oci: (folder) => ociRegistry(folder, users),
  otlp: () => otlpReceiver((signal, type, content) => console.log(signal, type, content.length)),
  s3: () => s3Server(users),
};

const [name = "", folder = ""] = argv.slice(2);
const { fetch } = servers[name]!(folder);
const { Bun, Deno } = globalThis as unknown as {
  readonly Bun?: { serve(options: object): { readonly port: number } };
  readonly Deno?: { serve(options: object, fetch: Fetch): { readonly addr: { readonly port: number } } };
};
const maxRequestBodySize = 1e9;
const port =
  Bun?.serve({ port: 0, fetch, maxRequestBodySize }).port ??
  Deno?.serve({ port: 0, onListen() {} }, (request) => fetch(request)).addr.port;
console.log(`port ${port}`);
