import type { Answer } from "../answer/carried-answer.ts";
import type { HeadersOrList } from "../answer/field-list.ts";
import type { Bytes } from "../javascript/bytes.ts";

/** Reads the content of a light response. Returns `undefined` if only a whole response can say. */
export const lightContent: unique symbol = Symbol("lightContent");

/** The class of the responses that the server of a light request sends at the lowest cost. */
export const lightResponse: unique symbol = Symbol("lightResponse");

/**
 * Takes the answer of a light response for a server that sends it, and marks its content as read. Returns null if the
 * content was read before, or is incomplete.
 */
export const takeAnswer: unique symbol = Symbol("takeAnswer");

/** Returns the fields of a light response, to be changed in place: a list, or its `Headers` once there are some. */
export const lightFields: unique symbol = Symbol("lightFields");

/** Marks bytes that will never be written to again. A light response keeps them without a copy. */
export const kept: unique symbol = Symbol("kept");

export type WholeContent = string | Bytes | null;

/** The members of a light response besides the members of the platform's `Response`. */
export interface LightResponse extends globalThis.Response {
  readonly [lightContent]: WholeContent | undefined;
  [takeAnswer](): Answer | null;
  [lightFields](): HeadersOrList;
}
