import { Attribute } from "fingerpost/native";

/** Who asks, as the guard found out, and where from, as the server says. */
export interface Client {
  readonly name: string;
  readonly scopes: readonly string[];
}

export const client: Attribute<Client> = new Attribute<Client>("client");
export const address: Attribute<string> = new Attribute<string>("address");

/** Whom each token identifies. An application that is not an example reads them from where secrets are kept. */
export const tokens: Readonly<Record<string, Client>> = {
  "ada-token": { name: "Ada", scopes: ["notes"] },
  "bo-token": { name: "Bo", scopes: [] },
};
