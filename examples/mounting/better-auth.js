import { betterAuth } from "better-auth";
import { memoryAdapter } from "better-auth/adapters/memory";
import { mount } from "fingerpost/mount";
import { Attribute, HTTPError, Middleware } from "fingerpost/native";

const auth = betterAuth({
  baseURL: "http://localhost:3000",
  secret: "a secret of at least thirty-two characters",
  // For this example: in production a database, and a secret from the environment.
  database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
  emailAndPassword: { enabled: true },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  logger: { disabled: true },
});

export class Auth extends mount(["/api/auth/:path*"], auth.handler) {}

/** The session of who asks. */
export const session = new Attribute("session");

/** Lets pass who has a session of better-auth. */
export class SignedIn extends Middleware {
  async ALL(request) {
    const found = await auth.api.getSession({ headers: request.headers });
    if (found === null) throw new HTTPError(401);
    session.set(request, found);
    return this.next(request);
  }
}
