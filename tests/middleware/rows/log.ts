import { log, type LogEntry } from "fingerpost/middleware/log";
import type { MiddlewareRow } from "../middleware-row.ts";
import { noFlag } from "../middleware-row.ts";

let last: LogEntry | undefined;

export const row: MiddlewareRow = {
  factory: log,
  options: [
    {
      base: {},
      wrong: {
        write: ["console", {}],
        json: noFlag,
        identityOf: ["me", {}],
        headers: ["a", ["a b"]],
        redact: ["a", [1]],
        includePath: noFlag,
      },
    },
  ],
  passes: [{ middleware: log({ write: () => {} }) }],
  exchanges: [
    {
      middleware: () => log({ write: (entry) => void (last = entry) }),
      polyfill: true,
      of: [[{ method: "DELETE" }, 200, {}, "reached"]],
      seen: () => ({ found: [last?.method, last?.pattern, last?.status], expected: ["DELETE", "/items/:id?", 200] }),
    },
  ],
  reads: [{ create: () => log({ includePath: true, write: () => {} }), path: true }],
};
