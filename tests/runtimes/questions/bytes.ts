// Hostile bytes: whatever comes, a server survives, does not wait, and tells nothing.
import assert from "node:assert/strict";
import type { Server } from "../driver/servers.ts";
import { hostiles, type Hostile } from "./hostile.ts";
import type { Asker, Question } from "./question.ts";

const patienceMs = 500;

/** One question for each row: every server gets the same bytes. */
export const bytes: readonly Question[] = hostiles.map((hostile) => ({
  name: `hostile bytes: ${hostile.because}`,
  isFor: (server: Server) => !isAnsweredByItself(server, hostile),
  ask: (asker: Asker) => survive(asker, hostile),
}));

/** CONNECT never gets as far as a worker: workerd says 500 to it, its own. */
function isAnsweredByItself({ kind }: Server, { bytes: sent }: Hostile): boolean {
  return kind === "workerd" && sent.startsWith("CONNECT");
}

async function survive(asker: Asker, { bytes: sent, isComplete }: Hostile): Promise<void> {
  // A machine that is busy with something else may be late now and then.
  for (let attempt = 1; ; attempt++) {
    const wire = asker.wire().send(Buffer.from(sent, "latin1"));
    if (!isComplete) wire.socket.end();
    const { text, isOver } = await wire.rest(patienceMs);
    await wire.close();
    const statuses = [...text.matchAll(/^HTTP\/1\.[01] (\d{3})/gm)].map(([, status]) => Number(status));
    for (const status of statuses) assert(status < 500 || status === 501 || status === 505, `status ${status}`);
    assert.doesNotMatch(text, /secret|\bat .+:\d+:\d+|node_modules|\/dist\//);
    if (isOver || statuses.length > 0) return;
    assert(attempt < 5, `silent for ${patienceMs} ms`);
  }
}
