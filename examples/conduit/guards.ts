import { randomBytes } from "node:crypto";
import { SignJWT } from "jose";
import { Attribute } from "fingerpost";
import { jwt } from "fingerpost/middleware/jwt";

const { JWT_SECRET, DATABASE_URL } = process.env;
if (JWT_SECRET === undefined && DATABASE_URL !== undefined) throw new Error("Cannot start: set a shared JWT_SECRET");
const key = JWT_SECRET === undefined ? randomBytes(32) : new TextEncoder().encode(JWT_SECRET);
const [iss, aud] = ["https://conduit.example", "https://conduit.example/api"];
const claims = new Attribute<{ sub?: string }>("claims");

/** The address of the connection, which the server sets. */
export const address = new Attribute<string>("address");
/** How many proxies of one's own stand in front. */
export const trustedHops = Number(process.env["TRUSTED_HOPS"] ?? 0);

const options = { algorithms: ["HS256"], issuer: iss, audience: aud, key, scheme: "Token", identity: claims };
/** Lets everyone pass, and grants the scope of users to who has a token. */
export const known = jwt({ ...options, optional: true, scopesOf: () => ["user"] });

/** The id of the user who asks, or null. */
export const readerOf = (call: object): number | null => Number(claims.find(call)?.sub ?? 0) || null;

/** A token of a user, for a week. */
export const tokenFor = (user: number): Promise<string> =>
  new SignJWT({ iss, aud, sub: `${user}` }).setProtectedHeader({ alg: "HS256" }).setExpirationTime("7d").sign(key);
