import { Resource } from "fingerpost/polyfill";
import { send, type Context } from "./context.ts";

/** Where a visitor starts. */
export class Home extends Resource {
  paths = ["/"] as const;

  GET(context: Context<Home>): unknown {
    return send(context, "A reading list: see /books\n");
  }
}
