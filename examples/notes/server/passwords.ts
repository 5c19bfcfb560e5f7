import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt);
// What OWASP recommends: 32 MiB for each.
const cost = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 };

/** Hashes a password, with a salt of its own. */
export async function hashed(password: string): Promise<string> {
  const salt = randomBytes(16);
  return `${salt.toString("base64url")}.${(await derive(password.normalize(), salt, 32, cost)).toString("base64url")}`;
}

/**
 * Tells whether a password is the one that was hashed. It takes as long where there is no hash: nobody learns who has
 * an account.
 */
export async function isPassword(password: string, hash: string | undefined): Promise<boolean> {
  const [salt = "", digest = ""] = (hash ?? nobody).split(".");
  const derived = await derive(password.normalize(), Buffer.from(salt, "base64url"), 32, cost);
  return timingSafeEqual(derived, Buffer.from(digest, "base64url")) && hash !== undefined;
}

const nobody = `${"A".repeat(22)}.${"A".repeat(43)}`;
