// The official client of MCP calls the tools of examples/conduit and examples/notes.
import assert from "node:assert/strict";
import { Client, StreamableHTTPClientTransport, type CallToolResult } from "@modelcontextprotocol/client";
import type { Question } from "./question.ts";

const article = { title: "How to train your dragon", description: "Ever wonder how?", body: "Very carefully." };
const made: readonly (readonly [path: string, tool: string, given: object, member: string])[] = [
  ["conduit/api/mcp", "list_articles", { limit: 2 }, "articles"],
  ["conduit/api/mcp", "read_article", { slug: "dragons" }, "article"],
  ["conduit/api/mcp", "publish_article", { article }, "article"],
  ["conduit/api/mcp", "list_comments", { slug: "dragons" }, "comments"],
  ["conduit/api/mcp", "add_comment", { slug: "dragons", comment: { body: "Thank you!" } }, "comment"],
  ["conduit/api/mcp", "list_tags", {}, "tags"],
  ["notes/mcp", "add_note", { title: "One", body: "Text" }, "title"],
  ["notes/mcp", "list_notes", {}, "items"],
  ["notes/mcp", "read_note", { id: 1 }, "title"],
];
const refused: readonly (readonly [path: string, tool: string, given: object, line: RegExp])[] = [
  ["conduit/api/mcp", "list_articles", { limit: "many" }, /#\/limit Expected an integer/],
  ["notes/mcp", "add_note", { title: "", body: 5 }, /^- #\/body: .*expected string/m],
  ["notes/mcp", "add_note", { title: "One", body: "", color: "red" }, /^- #\/color: Expected no such input/m],
];

async function called(port: number, path: string, name: string, given: object): Promise<CallToolResult> {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/${path}`)));
  try {
    const { tools } = await client.listTools();
    assert(tools.some((tool) => tool.name === name));
    return (await client.callTool({ name, arguments: given as Record<string, unknown> })) as CallToolResult;
  } finally {
    await client.close();
  }
}

/** One question for each tool, and for mistakes. */
export const agents: readonly Question[] = [
  ...made.map(([path, name, given, member]) => ({
    name: `the tool ${name}`,
    async ask({ server: { port } }: Parameters<Question["ask"]>[0]): Promise<void> {
      const { isError, structuredContent } = await called(port, path, name, given);
      assert.equal(isError, undefined);
      assert(member in structuredContent!);
    },
  })),
  {
    name: "tools that are called wrongly",
    async ask({ server: { port } }) {
      for (const [path, name, given, line] of refused) {
        const { isError, content } = await called(port, path, name, given);
        assert.equal(isError, true);
        assert.match((content[0] as { readonly text: string }).text, line);
      }
    },
  },
];
