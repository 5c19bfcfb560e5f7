import { createServer } from "node:http";
import { createServer as createHttp2Server, createSecureServer } from "node:http2";
import { describe, expect, it } from "vitest";
import { Application, Attribute } from "../../modules/http.native.ts";
import { listener, serve } from "../node.ts";

const app = Application.builder().build();
const wrong: [option: string, expected: string, values: unknown[]][] = [
  ["onError", "a function", [null, "log"]],
  ["onRequest", "a function", [null, {}]],
  ["address", "an Attribute", [null, Attribute, true, {}]],
  ["lightRequests", "true or false", [null, 0]],
];

describe("options of listener()", () => {
  it.each(wrong)("C7.4 are refused by name: %s", (option, expected, values) => {
    for (const value of values) {
      const refusal = `Cannot call listener(): its option "${option}" must be ${expected}, got `;
      expect(() => listener(app, { [option]: value })).toThrow(refusal);
    }
  });

  it("C7.4 are refused if a name does not exist, such as the options of serve()", () => {
    for (const name of ["onerror", "port"]) {
      const refusal =
        `Cannot call listener(): it has no option "${name}"; write one of onError, onRequest, address, ` +
        "lightRequests";
      expect(() => listener(app, { [name]: 1 } as object)).toThrow(new TypeError(refusal));
    }
    expect(() => listener(app, null as never)).toThrow(
      "Cannot call listener(): its options must be an object, got null",
    );
  });

  it("may be given as undefined", () => {
    const options = { onError: undefined, address: undefined, lightRequests: undefined };
    expect(listener(app, options as object)).toBeTypeOf("function");
  });
});

describe("options of serve()", () => {
  const used = createServer(() => {});
  const servers = [null, "server", {}, used, createHttp2Server(), createSecureServer({ allowHTTP1: true })];

  it.each([
    ...wrong,
    ["signal", "an AbortSignal", [null, new AbortController()]] as const,
    ["port", "a number from 0 to 65535", [null, "abc", "", -1, 65_536, 1.5, NaN, "65536", true]] as const,
    ["socketPath", "the path of a socket", [null, "", 3]] as const,
    ["fd", "a whole number that is not negative", [null, -1, "3"]] as const,
    ["stopOn", 'an array of signals of the process, such as "SIGTERM"', ["SIGTERM", ["TERM"], [1]]] as const,
    ["graceMs", "a whole number that is not negative", [null, -1, 1.5, Infinity, "10"]] as const,
    ["server", "a server of node:http or node:https without a listener for requests", servers] as const,
  ])("C7.4 are refused by name, before anything listens: %s", async (option, expected, values) => {
    for (const value of values) {
      const refusal = `Cannot call serve(): its option "${option}" must be ${expected}, got `;
      await expect(serve(app, { port: 0, [option]: value })).rejects.toThrow(refusal);
    }
  });

  it("take a port as the environment has it", async () => {
    const server = await serve(app, { port: "0", hostname: "127.0.0.1" });
    expect(server.listening).toBe(true);
    server.close();
  });

  it("C7.4 are refused where there are none of a name", async () => {
    const refusal =
      'Cannot call serve(): it has no option "prot"; write one of port, hostname, socketPath, fd, backlog, ' +
      "maxRequests, maxLoopDelayMs, maxConnections, maxSlowMs, signal, stopOn, leaveMs, graceMs, " +
      "server, onError, onRequest, address, lightRequests";
    await expect(serve(app, { prot: 0 } as object)).rejects.toThrow(new TypeError(refusal));
    await expect(serve(app, 3000 as never)).rejects.toThrow(
      "Cannot call serve(): its options must be an object, got a number",
    );
  });

  it("C7.4 are refused where they name several places", async () => {
    for (const other of [{ port: 0 }, { hostname: "127.0.0.1" }, { fd: 3 }]) {
      const refusal =
        'Cannot call serve(): its option "socketPath" must be without "port", "hostname" and "fd", got "/tmp/app.sock"';
      await expect(serve(app, { socketPath: "/tmp/app.sock", ...other })).rejects.toThrow(new TypeError(refusal));
    }
    for (const other of [{ port: 0 }, { hostname: "127.0.0.1" }]) {
      const refusal = 'Cannot call serve(): its option "fd" must be without "port" and "hostname", got 3';
      await expect(serve(app, { fd: 3, ...other })).rejects.toThrow(new TypeError(refusal));
    }
  });
});
