import { checkCloseCode } from "./close-frame.ts";
import type { Peer } from "./peer.ts";

/** A connection, as far as its handlers may use it. */
export interface PeerLine {
  readonly signal: AbortSignal;
  send(message: unknown): boolean;
  waited(): Promise<void>;
  subscribe(topic: string): void;
  unsubscribe(topic: string): void;
  publish(topic: string, message: unknown): void;
  close(code: number, reason: string): void;
}

/** What handlers see of a connection. */
export class ConnectedPeer implements Peer<unknown> {
  readonly #connection: PeerLine;
  readonly protocol: string;

  constructor(connection: PeerLine, protocol: string) {
    this.#connection = connection;
    this.protocol = protocol;
  }

  get signal(): AbortSignal {
    return this.#connection.signal;
  }

  send(message: unknown): boolean {
    return this.#connection.send(message);
  }

  drained(): Promise<void> {
    return this.#connection.waited();
  }

  subscribe(topic: string): void {
    this.#connection.subscribe(topic);
  }

  unsubscribe(topic: string): void {
    this.#connection.unsubscribe(topic);
  }

  publish(topic: string, message: unknown): void {
    this.#connection.publish(topic, message);
  }

  close(code: number = 1000, reason: string = ""): void {
    checkCloseCode(code);
    this.#connection.close(code, reason);
  }
}
