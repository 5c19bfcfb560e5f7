import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { mock } from "../mock.ts";
import { serve, type NodeApplication } from "../servers/node.ts";
import { ModuleError, type LoadedApplication } from "./loaded-application.ts";

export interface MockServing {
  readonly port: number;
  readonly seed: number | undefined;
  readonly isGuarded: boolean;
}

/**
 * Serves an application whose handlers are mocked, on this machine only.
 * @throws {ModuleError} when the application cannot be mocked, or the package that makes values is not installed.
 */
export async function serveMock(
  app: LoadedApplication,
  module: string,
  { port, seed, isGuarded }: MockServing,
): Promise<{ readonly server: Server; readonly url: string }> {
  const loaded = await importedMock();
  let mocked: object;
  try {
    mocked = loaded.mock(app as never, { seed, guards: isGuarded });
  } catch (error) {
    throw new ModuleError(`Cannot use ${module}: ${(error as Error).message}`);
  }
  const server = await serve(mocked as NodeApplication, { port, hostname: "localhost" });
  return { server, url: `http://localhost:${(server.address() as AddressInfo).port}` };
}

/** Loaded by this command only: it needs a package that is optional. */
async function importedMock(): Promise<{ readonly mock: typeof mock }> {
  try {
    return await import("../mock.ts");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new ModuleError(
      "Cannot mock the application: json-schema-faker is not installed; run npm install -D json-schema-faker",
    );
  }
}
