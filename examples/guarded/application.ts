import { bearer } from "fingerpost/middleware/bearer";
import { bodyLimit } from "fingerpost/middleware/body-limit";
import { cors } from "fingerpost/middleware/cors";
import { rateLimit, type Limiter } from "fingerpost/middleware/rate-limit";
import { requestId } from "fingerpost/middleware/request-id";
import { Application, ResourceGroup } from "fingerpost/native";
import { conditional } from "fingerpost/native/content";
import { address, client, tokens } from "./clients.ts";
import { Note } from "./note.ts";
import { Welcome } from "./welcome.ts";

const guard = bearer({ tokens, identity: client, realm: "notes", scopes: ["notes"], scopesOf: ({ scopes }) => scopes });

/** Only who shows a token reaches the notes; who changes one must say which state of it they have seen. */
const guarded = ResourceGroup.builder()
  .resources(Note)
  .middleware(guard, bodyLimit({ maxBytes: 10_000 }), conditional({ requiredMethods: ["PUT", "DELETE"] }))
  .build();

/** CORS is outside of everything that refuses, so that scripts can read refusals, and preflights pass the guard. */
export function applicationWith(limiter: Limiter): Application {
  return Application.builder()
    .resources(Welcome, guarded)
    .middleware(
      requestId(),
      cors({ origins: ["https://app.example"], exposeHeaders: ["ETag", "RateLimit", "Retry-After", "X-Request-Id"] }),
      rateLimit({ limiter, address }),
    )
    .build();
}
