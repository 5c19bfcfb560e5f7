import { spawn } from "node:child_process";
import { Readable } from "node:stream";
import { join } from "node:path";
import { Application, bytes, reply, Resource, type Call } from "fingerpost";
import { decompress } from "fingerpost/middleware/decompress";
import { z } from "zod";

const service = z.enum(["git-upload-pack", "git-receive-pack"]);
const headers = z.object({ "git-protocol": z.string().optional() });
const maxBytes = 1_000_000_000;

/** A Git server over "smart" HTTP, for bare repositories below a folder. */
export function gitServer(root: string) {
  function run(name: string, repo: readonly string[], protocol = "", ...more: readonly string[]) {
    const env = { ...process.env, GIT_PROTOCOL: protocol };
    return spawn("git", [name.slice(4), "--stateless-rpc", ...more, join(root, ...repo)], { env });
  }

  class Refs extends Resource {
    paths = ["/:repo+/info/refs"] as const;
    static GET = { query: z.object({ service }), headers, cache: "no-store", 200: bytes("*/*") };
    async GET(call: Call<typeof Refs, "GET">) {
      const name = call.query.service;
      const refs = run(name, call.segments("repo"), call.headers["git-protocol"], "--advertise-refs");
      const said = `001${name === "git-upload-pack" ? "e" : "f"}# service=${name}\n0000`;
      const content = new Blob([said, await new Response(Readable.toWeb(refs.stdout) as ReadableStream).blob()]);
      return reply(200, content, { "Content-Type": `application/x-${name}-advertisement` });
    }
  }

  class Pack extends Resource {
    paths = ["/:repo+/:service(git-(?:upload|receive)-pack)"] as const;
    static POST = { headers, content: bytes("*/*", { stream: true, maxBytes }), cache: "no-store", 200: bytes("*/*") };
    POST(call: Call<typeof Pack, "POST">) {
      const pack = run(call.path.service, call.segments("repo"), call.headers["git-protocol"]);
      Readable.fromWeb(call.content as never).pipe(pack.stdin);
      const content = Readable.toWeb(pack.stdout) as ReadableStream<Uint8Array<ArrayBuffer>>;
      return reply(200, content, { "Content-Type": `application/x-${call.path.service}-result` });
    }
  }

  return Application.builder().middleware(decompress()).resources(Refs, Pack).build();
}
