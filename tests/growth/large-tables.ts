import { Application, Resource } from "fingerpost/modules/http.native.js";
import { PathIndexBuilder } from "../../src/routing/build/path-index-builder.ts";
import { parsePathPattern } from "../../src/routing/pattern/path-pattern.ts";

/** Makes so many patterns of a kind, and something that holds them; what is returned keeps all of it in memory. */
export type Build = (count: number) => unknown;

const kinds: Readonly<Record<string, (index: number) => string>> = {
  "static segments": (index) => `/resources/${index}/details`,
  "static segments, one inside the other": (index) => `/${[...String(index)].join("/")}/end`,
  "params behind static segments": (index) => `/resources-${index}/:id/parts/:part`,
  "params in front of static segments": (index) => `/:tenant/:id/part-${index}`,
  "optional params": (index) => `/list-${index}/:year?/:month?`,
  "affixed and constrained params": (index) => `/files-${index}/:name.:ext/:line(\\d+)`,
  "expressions and rests": (index) => [`/e-${index}/(\\d+)/x`, `/r-${index}/:rest*`][index % 2]!,
};

/** Index of one kind of patterns each, and an application with resources of all kinds. */
export const builds: Readonly<Record<string, Build>> = {
  ...Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, (count: number) => indexOf(count, kind)])),
  "an application, all kinds": applicationOf,
};

function indexOf(count: number, kind: (index: number) => string): unknown {
  const builder = new PathIndexBuilder<number>();
  for (let index = 0; index < count; index++) {
    if (builder.add(parsePathPattern(kind(index)), index).length > 0) throw new Error(`${kind(index)} is there twice`);
  }
  return builder.build();
}

/** A hundred patterns for each resource. */
function applicationOf(count: number): unknown {
  const all = Object.values(kinds);
  const classes = Array.from({ length: count / 100 }, (_, at) => {
    return class extends Resource {
      override paths = Array.from({ length: 100 }, (_pattern, index) => all[index % all.length]!(at * 100 + index));
    };
  });
  return Application.builder().resources(classes).build();
}
