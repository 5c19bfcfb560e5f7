// What scripts/check/since-last.js does to programs by the tables of docs/from-beta-1.md.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./snippets.ts";

const script = new URL("../../scripts/check/lib/moved-names.js", import.meta.url).href;
interface Moves {
  readonly unread: readonly string[];
}
const { moved, readMoves } = (await import(script)) as {
  moved(moves: Moves, code: string): string;
  readMoves(page: string): Moves;
};

const page = readFileSync(join(root, "docs/from-beta-1.md"), "utf8");
const moves = readMoves(page);

describe("docs/from-beta-1.md", () => {
  it("has rows that a program can follow, but of what a type alone knows", () => {
    expect(moves.unread).toEqual([
      "| `path` of a file that `disk()` stored | `file` |",
      "| `name` of a stored file | `fileName` |",
      "| `onError(error, request, input)` of `serve()` and `listener()` | `onError(error, input, request)` |",
    ]);
  });

  it.each([
    ['import { Resource } from "fingerpost";', 'import { Resource } from "fingerpost/native";'],
    [
      'import { Inbox, eventStream } from "fingerpost/content/events.js";',
      'import { Inbox } from "fingerpost/events"; import { eventStream } from "fingerpost/native/content";',
    ],
    ['import * as tags from "fingerpost/client/tags";', 'import * as tags from "fingerpost/client";'],
    ['export { cors } from "fingerpost/middleware/cors.js";', 'export { cors } from "fingerpost/middleware/cors";'],
    ['await import("fingerpost/servers/node.js");', 'await import("fingerpost/node");'],
    ['import { send } from "fingerpost/webhooks";', 'import { sendWebhook as send } from "fingerpost/webhooks";'],
    [
      'import { asyncapi } from "fingerpost/asyncapi"; asyncapi(app, {}); asyncapi({});',
      'import { asyncapi, asyncDocument } from "fingerpost/openapi"; asyncDocument(app, {}); asyncapi({});',
    ],
    ["cors({ origin, maxAgeSeconds: 5 });", "cors({ origins: origin, preflightMaxAgeSeconds: 5 });"],
    ["cookie({ maxAgeSeconds: 5 });", "cookie({ maxAgeSeconds: 5 });"],
    ['({ idempotency: "required" as const });', "({ idempotency: true });"],
    ["({ tool: { isDestructive: false } });", "({ tool: { destructive: false } });"],
    ["this.errorFields(request).set(a, b);", "this.errorHeaders(request).set(a, b);"],
    ["builder.resources(...resourceMetadata(options));", "builder.resources(resourceMetadata(options));"],
  ])("changes %s", (before, after) => {
    expect(moved(moves, before)).toBe(after);
  });

  it("leaves a program as it is where a row is missing", () => {
    const less = readMoves(page.replace(/^\| `origin` of `cors\(\)`.*\n/m, ""));
    expect(moved(less, "cors({ origin });")).toBe("cors({ origin });");
    expect(readMoves(page.replace("| `asyncapi(app, options)` |", "| how to call it |")).unread.length).toBe(4);
  });
});
