/** A connection that is asked whether its client is there. */
interface Pulsing {
  ping(): void;
  /** Its client did not answer twice. */
  gone(): void;
}

/** Milliseconds between two questions. */
const pulseMs = 30_000;

/** One timer for all: a timer for each of 10,000 idle connections would cost memory. */
const missed = new Map<Pulsing, number>();
let timer: ReturnType<typeof setInterval> | undefined;

/**
 * Pings a connection every 30 s until the function that is returned is called. After two pings without an answer it is
 * gone.
 */
export function keepAlive(connection: Pulsing): () => void {
  missed.set(connection, 0);
  if (timer === undefined) {
    timer = setInterval(pulse, pulseMs);
    (timer as { unref?: () => void }).unref?.();
  }
  return () => {
    missed.delete(connection);
    if (missed.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function pulse(): void {
  for (const [connection, times] of missed) {
    if (times >= 2) {
      missed.delete(connection);
      connection.gone();
    } else {
      missed.set(connection, times + 1);
      connection.ping();
    }
  }
}
