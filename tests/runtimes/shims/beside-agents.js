// In place of what not every runtime has, and no tool of a mocked application asks: databases, folders, Redis, and
// what hashes passwords.
export default function postgres() {}
export { postgres as createClient, postgres as hash, postgres as PGlite, postgres as verify };

const nothing = { codings: [], find: async () => undefined };
export const folder = () => nothing;
export const snapshot = () => nothing;

export class RateLimiterMemory {
  points = 1000;
  duration = 60;
  async consume() {
    return { remainingPoints: 999, msBeforeNext: 60_000 };
  }
}
export class RateLimiterRedis extends RateLimiterMemory {}
