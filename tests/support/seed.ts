const { process } = globalThis as { process?: { env: Record<string, string | undefined> } };
const given = process?.env["FINGERPOST_SEED"];

/** What `FINGERPOST_SEED` says, to try the same generated cases once more; not every runtime has an environment. */
export const givenSeed: number | undefined = given === undefined ? undefined : Number(given);
