import { randomBytes } from "node:crypto";
import { SignJWT } from "jose";
import { Attribute } from "fingerpost";
import { jwt } from "fingerpost/middleware/jwt";

const { JWT_SECRET, DATABASE_URL } = process.env;
if (JWT_SECRET === undefined && DATABASE_URL !== undefined)
  throw new Error("Cannot start: set JWT_SECRET, which all processes share");
const key = JWT_SECRET === undefined ? randomBytes(32) : new TextEncoder().encode(JWT_SECRET);
const [issuer, audience] = ["https://conduit.example", "https://conduit.example/api"];
const claims = new Attribute<{ sub?: string }>("claims");
const options = { algorithms: ["HS256"], issuer, audience, key, scheme: "Token", identity: claims };

/** The address of the connection, which the server sets. */
export const address = new Attribute<string>("address");
/** How many proxies of one's own stand in front. */
export const trustedHops = Number(process.env["TRUSTED_HOPS"] ?? 0);

/** Lets everyone pass, and knows who has a token. */
export const known = jwt({ ...options, optional: true });
/** Lets pass who has a token. */
export const signedIn = jwt(options);

/** The id of the user who asks, or null. */
export const readerOf = (call: object): number | null => Number(claims.find(call)?.sub ?? 0) || null;

export function tokenFor(user: number): Promise<string> {
  const token = new SignJWT().setProtectedHeader({ alg: "HS256" }).setSubject(String(user));
  return token.setIssuer(issuer).setAudience(audience).setExpirationTime("7d").sign(key);
}
