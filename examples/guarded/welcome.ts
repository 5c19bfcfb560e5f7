import { Resource, Response } from "fingerpost/native";

/** For everyone: it is in no group, so no guard hangs on it. */
export class Welcome extends Resource {
  paths = ["/"] as const;

  GET(): Response {
    return new Response("Notes, for those who have a token: see /notes/1\n");
  }
}
