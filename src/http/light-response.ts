/** Reads the content of a light response: undefined where only a whole one can tell. */
export const lightContent: unique symbol = Symbol("lightContent");

/** Takes what a server sends of a light response, whose content was read then; null where it was read before, or is not all there. */
export const takeParts: unique symbol = Symbol("takeParts");

/** Makes a light response of fields and text that are known to be right. Its length is added when somebody reads its fields. */
export const ofText: unique symbol = Symbol("ofText");

/** A class of light responses. */
export interface LightResponseClass {
  [ofText](status: number, fields: readonly string[], text: string | null): globalThis.Response;
}

/** Marks bytes that nobody will write to any more: a light response keeps them as they are. */
export const kept: unique symbol = Symbol("kept");

/** What a server sends of a response whose content is all there. */
export interface ResponseParts {
  readonly status: number;
  readonly statusText: string;
  /** Names and values by turns. */
  readonly fields: readonly string[];
  readonly content: string | Uint8Array<ArrayBuffer> | null;
}

/** What a light response has besides the members of the platform's. */
export interface LightResponse extends globalThis.Response {
  readonly [lightContent]: ResponseParts["content"] | undefined;
  [takeParts](): ResponseParts | null;
}
