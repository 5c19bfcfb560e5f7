import { bearer } from "fingerpost/middleware/bearer.js";
import { bodyLimit } from "fingerpost/middleware/body-limit.js";
import { conditional } from "fingerpost/middleware/conditional.js";
import { cors } from "fingerpost/middleware/cors.js";
import { rateLimit, type Limiter } from "fingerpost/middleware/rate-limit.js";
import { requestId } from "fingerpost/middleware/request-id.js";
import { Application, ResourceGroup } from "fingerpost/modules/http.native.js";
import { address, client, tokens } from "./clients.ts";
import { Note } from "./note.ts";
import { Welcome } from "./welcome.ts";

const guard = bearer({ tokens, identity: client, realm: "notes", scope: ["notes"], scopesOf: ({ scopes }) => scopes });

/** Only who shows a token reaches the notes; who changes one must say which state of it they have seen. */
const guarded = ResourceGroup.builder()
  .resources(Note)
  .middleware(guard, bodyLimit({ maxBytes: 10_000 }), conditional({ required: ["PUT", "DELETE"] }))
  .build();

/** CORS is outside of everything that refuses, so that scripts can read refusals, and preflights pass the guard. */
export function applicationWith(limiter: Limiter): Application {
  return Application.builder()
    .resources(Welcome, guarded)
    .middleware(
      requestId(),
      cors({ origin: "https://app.example", exposeHeaders: ["ETag", "RateLimit", "Retry-After", "X-Request-Id"] }),
      rateLimit({ limiter, address }),
    )
    .build();
}
