/** A connection whose client is asked, by pings, whether it is there. */
export interface HeartbeatConnection {
  /** Pings since the client has said something. */
  missed: number;
  /** Whether nothing is read at present, so that answers are not seen. */
  readonly isPaused: boolean;
  ping(): void;
  /** Ends the connection, because its client left two pings without an answer. */
  gone(): void;
}

/** Milliseconds between two pings of a connection. */
const heartbeatMs = 30_000;

/** One timer pings all connections, because 10,000 idle ones would pay for a timer and functions of their own. */
const asked = new Set<HeartbeatConnection>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Pings a connection every 30 s, and ends it after two pings without an answer. */
export function startHeartbeat(connection: HeartbeatConnection): void {
  asked.add(connection);
  if (timer !== undefined) return;
  timer = setInterval(beat, heartbeatMs);
  (timer as { unref?: () => void }).unref?.();
}

/** Stops the pings of a connection. */
export function endHeartbeat(connection: HeartbeatConnection): void {
  if (!asked.delete(connection) || asked.size > 0) return;
  clearInterval(timer);
  timer = undefined;
}

function beat(): void {
  for (const connection of asked) {
    if (connection.isPaused) continue;
    if (connection.missed >= 2) {
      endHeartbeat(connection);
      connection.gone();
    } else {
      connection.missed++;
      connection.ping();
    }
  }
}
