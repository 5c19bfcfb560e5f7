import type { lightResponse } from "./light-response.ts";

/**
 * Reads one header field of a light request, as the method of `Headers` would, without making all of them. Returns
 * `undefined` if somebody has replaced its `headers`.
 */
export const lightField: unique symbol = Symbol("lightField");

/** Is a light request itself: a `Proxy` of it has another one. */
export const lightSelf: unique symbol = Symbol("lightSelf");

/**
 * Reads the content of a light request at once. The Promise fulfills with null if the content is longer. Returns null
 * if there is none, or if somebody has begun to read it or replaced its `body`. A `Proxy` has replaced it. Others may
 * have the same buffer: who keeps the bytes copies them.
 */
export const lightBytes: unique symbol = Symbol("lightBytes");

/** Makes a light request of another method, which belongs to this one: both have one signal. */
export const lightFurther: unique symbol = Symbol("lightFurther");

/**
 * Holds values that belong to a light request: a list, of which each has an owner. `undefined` where the request
 * is another object, such as a `Proxy` of it.
 */
export const heldValues: unique symbol = Symbol("heldValues");

export interface HeldValue {
  readonly owner: object;
  value: unknown;
  readonly before: HeldValue | null;
}

/**
 * Reads the content of a light request chunk by chunk, without a stream. Returns null as `lightBytes` does. The buffer
 * of a chunk holds nothing else.
 */
export const lightChunks: unique symbol = Symbol("lightChunks");

/** Reads content as it comes. Nothing comes before it is asked for. */
export interface LightChunks {
  read(): Promise<{ readonly done?: boolean | undefined; readonly value?: Uint8Array | undefined }>;
  /** Returns the next chunk if it is there; undefined if not. */
  take(): Uint8Array | undefined;
  cancel(): Promise<void>;
}

/** The members of a light request that the platform's `Request` lacks. */
export interface LightRequest {
  readonly [lightResponse]: typeof Response;
  [lightField](name: string): string | null | undefined;
  readonly [lightSelf]: object;
  [lightChunks](input: object): LightChunks | null;
  [lightBytes](maxBytes: number, input: object): Promise<Uint8Array<ArrayBuffer> | null> | null;
  [lightFurther](url: string, method: string, fields: readonly string[], content: string | null): Request;
  get [heldValues](): HeldValue | null | undefined;
  set [heldValues](last: HeldValue);
}
