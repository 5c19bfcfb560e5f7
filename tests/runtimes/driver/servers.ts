import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { fileURLToPath } from "node:url";
import { Program } from "./program.ts";
import { portOf, type Runtime, type Task } from "./runtimes.ts";

/** A server that listens. */
export interface Server {
  readonly name: string;
  readonly protocol: "http" | "https" | "http2";
  readonly chain: "native" | "polyfill";
  readonly kind: Runtime["kind"] | "srvx";
  readonly port: number;
  readonly program: Program;
  /** Opens a connection for HTTP/1.1, whatever else the server speaks. */
  connect(): Socket;
}

/** Starts the servers of a runtime: those of all questions, or the one of the decision table. */
export async function start(
  runtime: Runtime,
  task: Exclude<Task, "globals" | "suite" | "stores"> = "servers",
): Promise<{ readonly servers: readonly Server[]; readonly program: Program }> {
  makeCertificate();
  const program = new Program(runtime.command(task));
  const ports: Record<string, number> =
    runtime.kind === "workerd"
      ? { [`workerd ${task}`]: await portOf(program) }
      : JSON.parse(await program.line("LISTENING "));
  const servers = Object.entries(ports).map(([name, port]): Server => {
    const protocol = (/^https?2?(?= )/.exec(name)?.[0] ?? "http") as Server["protocol"];
    const chain = name.endsWith("polyfill") ? "polyfill" : "native";
    const kind = name === "srvx" ? name : runtime.kind;
    const options = { port, host: "127.0.0.1" };
    const connect = (): Socket =>
      protocol === "http"
        ? connectTcp(options)
        : connectTls({ ...options, rejectUnauthorized: false, ALPNProtocols: ["http/1.1"] });
    return { name, protocol, chain, kind, port, program, connect };
  });
  return { servers, program };
}

/** Makes what `https` and `http2` need, for this machine and a day. */
function makeCertificate(): void {
  const folder = fileURLToPath(new URL(".", import.meta.url));
  if (existsSync(`${folder}cert.pem`)) return;
  const key = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=localhost";
  const args = [...key.split(" "), "-keyout", `${folder}key.pem`, "-out", `${folder}cert.pem`];
  execFileSync("openssl", args, { stdio: "ignore" });
}
