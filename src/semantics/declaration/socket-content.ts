import type { StandardSchema } from "../../json-schema/shape/standard-schema.ts";
import type { BytesContent, TextContent } from "./raw-content.ts";

/** The messages of one direction of a WebSocket: JSON by a schema, strings, or bytes. */
export type SocketSide = StandardSchema | TextContent | BytesContent;

/** A WebSocket with messages of both directions: what `socket()` returns. */
export interface SocketContent<Receives extends SocketSide = SocketSide, Sends extends SocketSide = SocketSide> {
  /** Distinguishes the kinds. */
  readonly kind: "socket";
  /** The messages that peers send. */
  readonly receives: Receives;
  /** The messages that handlers send. */
  readonly sends: Sends;
  /**
   * Returns the subprotocol that a handshake agrees on, or `null` for another request, if there may be any.
   *
   * @throws {HTTPError} 400, 403 or 426 when it cannot be accepted.
   */
  readonly check: (request: object, method: string, isOptional: boolean) => string | null;
  /** Makes what writes the messages of handlers where no handshake was accepted. */
  readonly writerFor: (name: string, isChecked: boolean) => { write(message: unknown): string | Uint8Array };
  /**
   * Accepts a handshake. Part of the declaration, so that a bundle without WebSockets leaves it out.
   *
   * @throws {TypeError} when the request is none.
   */
  readonly accept: (handshake: SocketHandshake) => Response;
}

/** A handshake that a handler accepts. */
interface SocketHandshake {
  readonly request: object;
  /** The resource in its application: topics belong to it. */
  readonly mounted: object;
  readonly name: string;
  readonly handlers: unknown;
  /** What `check()` returned: null where the request is no handshake. */
  readonly protocol: string | null;
  /** The options of the reply, as the handler wrote them. */
  readonly options: object | null | undefined;
  /** Whether all that is sent is validated by its schema. */
  readonly isChecked: boolean;
  readonly onError: (error: unknown) => void;
}

export function isSocket(value: unknown): value is SocketContent {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, "kind")) return false;
  return (value as SocketContent).kind === "socket";
}
