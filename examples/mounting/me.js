import { Resource, Response } from "fingerpost/native";
import { session, SignedIn } from "./better-auth.js";

/** The name of who asks, by the session of better-auth. */
export class Me extends Resource {
  paths = ["/me"];
  static middleware = [SignedIn];

  GET(request) {
    return new Response(session.get(request).user.name);
  }
}
