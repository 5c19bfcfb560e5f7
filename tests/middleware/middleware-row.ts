import { Attribute } from "fingerpost/modules/http.native.js";
import type { MiddlewareClass } from "../../src/application/middleware.ts";
import type { Method } from "../../src/http/protocol/method.ts";
import type { NativeInput } from "./around.ts";

/** What the tests of all middleware ask of one: `rows/NAME.ts` exports it as `row`, and every table finds it there. */
export interface MiddlewareRow {
  readonly factory: (options: never) => MiddlewareClass;
  /** Nothing for a factory that takes no options. */
  readonly options: readonly OptionTable[];
  /** One for each way through it: a request that passes is answered as without the middleware. */
  readonly passes: readonly Pass[];
  readonly exchanges: readonly Exchanges[];
  /** What it reads of a request, so that the cost of that is measured. */
  readonly reads: readonly Reading[];
}

/** Options that work, and the values that each option refuses among them, besides null. */
export interface OptionTable {
  readonly base: Readonly<Record<string, unknown>>;
  readonly wrong: Readonly<Record<string, readonly unknown[]>>;
  /** Options that are left out of the base where another is tried, by the name of that. */
  readonly without?: Readonly<Record<string, string>>;
}

export interface Pass {
  /** What is special about it. */
  readonly by?: string;
  readonly middleware: MiddlewareClass;
  /** The fields of a request that takes as long a way as there is. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A request, and what the response must say: its status and some of its fields, `undefined` for those it must not have.
 * Its content, if that is said, is decoded; null is none.
 */
export type Exchange = readonly [
  request: {
    readonly method?: string;
    /** Default: `/items`. */
    readonly path?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly content?: string;
    /** Content whose length is not said before it. */
    readonly chunks?: readonly string[];
    /** For what no `Request` can say. */
    readonly onlyOverSockets?: true;
    /** For what depends on the host. */
    readonly onlyInMemory?: true;
  },
  status: number,
  fields?: Readonly<Record<string, string | readonly string[] | RegExp | undefined>>,
  content?: string | null | ((fieldOf: (name: string) => string | null) => unknown),
];

export interface Exchanges {
  /** Makes the middleware anew, for each module. */
  readonly middleware: () => MiddlewareClass;
  /** Whether it goes with Node's response. */
  readonly polyfill: boolean;
  readonly of: readonly Exchange[];
  /** The methods that the resource has. Default: all. */
  readonly implemented?: readonly Method[];
  /** Returns the content, or the response; `undefined` for what all others answer. */
  readonly handler?: (input: { readonly method: string; readonly signal: AbortSignal }) => unknown;
  /** What was seen in the end, and what that must be. */
  readonly seen?: () => { readonly found: unknown; readonly expected: unknown };
}

export interface Reading {
  readonly create: () => MiddlewareClass;
  readonly method?: string;
  readonly handler?: (request: NativeInput) => unknown;
  /** What is in each request. */
  readonly sent?: Readonly<Record<string, string>>;
  /** The fields that it reads: what stands in them before the text. */
  readonly fields?: Readonly<Record<string, readonly string[]>>;
  readonly path?: true;
}

/** The address of the client: servers set it. */
export const address = new Attribute<string>("address");

/** The content that a handler of exchanges returned. */
export function textGiven(given: unknown): string {
  return typeof given === "string" ? given : "reached";
}

/** Values that are no flag, no count, and nothing known by a name that the user wrote. */
export const noFlag = ["yes", 1];
export const noCount = [-1, 1.5, "1", NaN];
export const noRecord = [[], new Map(), new Set(["a"]), new Date(), new Headers({ a: "b" }), Promise.resolve({})];
