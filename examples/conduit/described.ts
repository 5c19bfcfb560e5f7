// The application without a database, for the tools that read its declarations:
// npx fingerpost openapi dist/described.js, or mcp, mock, client-types and routes.
import { RateLimiterMemory } from "rate-limiter-flexible";
import { conduit } from "./application.ts";
import type { Database } from "./database.ts";
import type { Shared } from "./shared.ts";

const shared = { limiter: new RateLimiterMemory({ points: 1_000_000, duration: 60 }) } as unknown as Shared;
export const app = conduit({} as Database, shared);
