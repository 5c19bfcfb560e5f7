#!/usr/bin/env node
import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { run } from "./run.ts";

// Only as a program: importing it does nothing.
if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { output, code } = await run(process.argv.slice(2));
  // The module may have started a server, which would keep the process.
  (code === 2 ? process.stderr : process.stdout).write(output, () => process.exit(code));
}
