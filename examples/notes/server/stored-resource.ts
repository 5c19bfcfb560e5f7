import { Attribute, Resource } from "fingerpost";
import type { Session } from "fingerpost/sessions";
import type { z } from "zod";
import type { Services } from "./services.ts";
import type { User } from "./schemas.ts";

export type Person = z.output<typeof User>;
export const session = new Attribute<Session<Person>>("session");
/** Who is signed in: set where signedIn() is in front. */
export const me = new Attribute<Person>("me");
/** What a session may do. */
export const scopesOf = ({ readOnly }: Person) =>
  readOnly ? ["notes:read"] : ["notes:read", "notes:write", "payments:write", "profile:write"];

/** A resource that reads and writes the database. */
export abstract class StoredResource extends Resource {
  readonly services: Services;

  constructor(services: Services) {
    super();
    this.services = services;
  }
}
