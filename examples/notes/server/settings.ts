import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What the environment says. */
export const { DATABASE_URL, DATA_FOLDER, REDIS_URL, ATTEMPTS = "10", PORT = "3000", HOST = "127.0.0.1" } = process.env;
/** The folder of pictures. */
export const { FILES = join(tmpdir(), "fingerpost-notes") } = process.env;

const random = `whsec_${randomBytes(24).toString("base64")}`;
/** Secrets of webhooks: of those from the bank, and of those to the shop. */
export const { BANK_SECRET = random, SHOP_SECRET = random, SHOP_URL = "" } = process.env;
