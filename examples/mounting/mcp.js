import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { mount } from "fingerpost/content/mount";
import { z } from "zod";
import { guard, user } from "./user.js";

function serverFor(name) {
  const server = new McpServer({ name: "greetings", version: "1.0.0" });
  server.registerTool("greet", { inputSchema: { word: z.string() } }, ({ word }) => ({
    content: [{ type: "text", text: `${word} ${name}` }],
  }));
  return server;
}

/** A server for each request: without sessions, any process can answer. */
async function answer(request) {
  const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  await serverFor(user.get(request)).connect(transport);
  return transport.handleRequest(request);
}

export class Mcp extends mount(["/mcp"], answer) {
  static middleware = [guard];
}
