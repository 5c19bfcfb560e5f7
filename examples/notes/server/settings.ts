import { tmpdir } from "node:os";
import { join } from "node:path";

/** What the environment says. */
export const { DATABASE_URL, DATA_FOLDER, REDIS_URL, PORT = "3000", HOST = "127.0.0.1" } = process.env;
/** The folder of pictures. */
export const { FILES = join(tmpdir(), "fingerpost-notes") } = process.env;
