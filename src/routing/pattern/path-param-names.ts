import type { AfterExpression } from "./expression.ts";

/**
 * The names of the params of paths, as types: the names that `parsePathPattern` finds at run time.
 *
 * `"?"` after a name says that a match may lack it: `["/books/:id", "/books/:id/:page?"]` has `"id" | "page?"`. If the
 * compiler does not know the string, any name may be present or absent: `` `${string}?` ``.
 *
 * Only patterns that `build()` accepts are read; for others the names mean nothing. A name ends at ASCII punctuation.
 *
 * @typeParam Prefix the text before each path.
 */
export type ParamNames<Paths extends readonly string[], Prefix extends string = never> = [Prefix] extends [never]
  ? Paths extends readonly [infer Pattern extends string]
    ? NamesIn<Pattern, []>
    : InEach<FromEach<Paths[number]>>
  : InEach<FromEach<`${Prefix}${Paths[number]}`>>;

/** A resource class, as far as its params matter. */
export interface Routed {
  /** The path patterns of the class. Write `as const` to type the params. */
  readonly paths: readonly string[];
}

/** The names that every match has. */
export type RequiredName<Names extends string> = Exclude<Names, `${string}?`>;

/** All names. */
export type AnyName<Names extends string> = Names extends `${infer Name}?` ? Name : Names;

/**
 * A name that not every pattern has may be absent. One function for each pattern: parameters intersect, results unite.
 */
type InEach<Functions> = [Functions] extends [never]
  ? never
  : [Functions] extends [(names: infer Common extends string) => infer All extends string]
    ? Common | Optional<Exclude<All, Common>>
    : never;
type FromEach<Pattern> = Pattern extends string ? Identity<NamesIn<Pattern, []>> : never;
type Identity<Names> = (names: Names) => Names;
type Optional<Names extends string> = `${AnyName<Names>}?`;

/**
 * Reads a pattern from its next special character on. `Unnamed` has one element for each expression before it. A
 * template literal with `infer` is expensive, and so is a union of templates: hence `Punctuated`. The common kinds of
 * segments come first. `scripts/check/type-cost.js` bounds what 300 resources cost the compiler.
 */
type NamesIn<Text extends string, Unnamed extends 0[]> = Text extends `${infer Before}:${infer After}`
  ? Before extends Special
    ? NamesAfterSpecial<Text, Unnamed>
    : NamesAfterColon<After, Unnamed>
  : Text extends Special
    ? NamesAfterSpecial<Text, Unnamed>
    : Text extends "*" | `${string}/*`
      ? `${Unnamed["length"]}?`
      : {} extends Record<Text, 0>
        ? `${string}?`
        : never;

type Special = `${string}${"(" | "\\"}${string}`;

/** `id`, `id?`, `id/…`: the param fills its segment. A name with its `?` is already the result. */
type NamesAfterColon<Text extends string, Unnamed extends 0[]> = Punctuated[Text] extends true
  ? Text extends `${infer Name}/${infer Rest}`
    ? Punctuated[Name] extends true
      ? ConstrainedName<Text, Unnamed>
      : Name | NamesIn<Rest, Unnamed>
    : ConstrainedName<Text, Unnamed>
  : Text;

/** `id(\d+)`, `id(\d+)?`. */
type ConstrainedName<Text extends string, Unnamed extends 0[]> = Text extends `${infer Name}(${infer Rest}`
  ? Punctuated[Name] extends true
    ? AffixedName<Text, Unnamed>
    : MarkedName<Name, AfterExpression<Rest>, Unnamed>
  : AffixedName<Text, Unnamed>;
type MarkedName<Name extends string, Rest extends string, Unnamed extends 0[]> =
  | (Rest extends `?${string}` ? `${Name}?` : Name)
  | NamesIn<Rest, Unnamed>;

/** `path+`, `file.:extension`. Anything else is read character by character, up to the one that ends the name. */
type AffixedName<Text extends string, Unnamed extends 0[]> = Text extends `${infer Name}+`
  ? Punctuated[Name] extends true
    ? SpelledName<Text, Unnamed>
    : Name
  : Text extends `${infer Name}.${infer Rest}`
    ? Punctuated[Name] extends true
      ? SpelledName<Text, Unnamed>
      : Name | NamesIn<Rest, Unnamed>
    : SpelledName<Text, Unnamed>;
type SpelledName<
  Text extends string,
  Unnamed extends 0[],
  Name extends string = "",
> = Text extends `${infer Character}${infer Rest}`
  ? Character extends Punctuation
    ? Character extends "*"
      ? `${Name}?`
      : Name | NamesIn<Text, Unnamed>
    : SpelledName<Rest, Unnamed, `${Name}${Character}`>
  : Name;

/** `(.+)`, `\:`. */
type NamesAfterSpecial<Text extends string, Unnamed extends 0[]> = Text extends `${infer Before}(${infer Rest}`
  ? Before extends `${string}\\${string}`
    ? NamesAfterEscape<Text, Unnamed>
    : `${Unnamed["length"]}` | NamesIn<AfterExpression<Rest>, [...Unnamed, 0]>
  : NamesAfterEscape<Text, Unnamed>;
type NamesAfterEscape<Text extends string, Unnamed extends 0[]> = Text extends `${string}\\${infer _}${infer Rest}`
  ? NamesIn<Rest, Unnamed>
  : never;

/** Maps a string with punctuation to `true`. Maps a name, or a name with `?` after it, to something else. */
interface Punctuated {
  readonly [text: string]: unknown;
  readonly [text: `${string}${Punctuation}${string}`]: true;
}
// prettier-ignore
type Punctuation =
  | " " | "!" | '"' | "#" | "%" | "&" | "'" | "(" | ")" | "*" | "+" | "," | "-" | "." | "/" | ":" | ";" | "<" | "="
  | ">" | "@" | "[" | "\\" | "]" | "^" | "`" | "{" | "|" | "}" | "~";
