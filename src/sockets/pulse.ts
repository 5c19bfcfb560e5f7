/** A connection that is asked whether its client is there. */
export interface Pulsing {
  /** Pings since the client has said something. */
  missed: number;
  /** Whether nothing is read at present, so that answers are not seen. */
  readonly isPaused: boolean;
  ping(): void;
  /** Its client did not answer twice. */
  gone(): void;
}

/** Milliseconds between two questions. */
const pulseMs = 30_000;

/** One timer for all, and no functions of their own: 10,000 idle connections would pay for them. */
const asked = new Set<Pulsing>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Pings a connection every 30 s. After two pings without an answer it is gone. */
export function keepAlive(connection: Pulsing): void {
  asked.add(connection);
  if (timer !== undefined) return;
  timer = setInterval(pulse, pulseMs);
  (timer as { unref?: () => void }).unref?.();
}

/** Pings a connection no more. */
export function endKeepAlive(connection: Pulsing): void {
  if (!asked.delete(connection) || asked.size > 0) return;
  clearInterval(timer);
  timer = undefined;
}

function pulse(): void {
  for (const connection of asked) {
    if (connection.isPaused) continue;
    if (connection.missed >= 2) {
      endKeepAlive(connection);
      connection.gone();
    } else {
      connection.missed++;
      connection.ping();
    }
  }
}
