import type { Bytes } from "../javascript/bytes.ts";

/** Reads the content of a light response. Returns `undefined` if only a whole response can say. */
export const lightContent: unique symbol = Symbol("lightContent");

/** The class of the responses that the server of a light request sends at the lowest cost. */
export const lightResponse: unique symbol = Symbol("lightResponse");

/**
 * Takes the parts of a light response that a server sends, and marks its content as read. Returns null if the content
 * was read before, or is incomplete.
 */
export const takeParts: unique symbol = Symbol("takeParts");

/**
 * Makes a light response of fields and text that are known to be valid. Its length is added when its fields are first
 * read.
 */
export const ofText: unique symbol = Symbol("ofText");

/**
 * Returns the fields of a light response, names and values in turn, to be changed in place. Its length is not among
 * them. Returns null if it has `Headers`, which count then.
 */
export const lightFields: unique symbol = Symbol("lightFields");

/** A class of light responses. */
export interface LightResponseClass {
  [ofText](status: number, fields: readonly string[], text: string | null): globalThis.Response;
}

/** Marks bytes that will never be written to again. A light response keeps them without a copy. */
export const kept: unique symbol = Symbol("kept");

/** The parts of a response, with all its content, that a server sends. */
export interface ResponseParts {
  readonly status: number;
  readonly statusText: string;
  /** Names and values in turn. */
  readonly fields: readonly string[];
  readonly content: string | Bytes | null;
}

/** The members of a light response besides the members of the platform's `Response`. */
export interface LightResponse extends globalThis.Response {
  readonly [lightContent]: ResponseParts["content"] | undefined;
  [takeParts](): ResponseParts | null;
  [lightFields](): string[] | null;
}
