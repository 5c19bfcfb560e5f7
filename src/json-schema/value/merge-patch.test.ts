import { describe, expect, it } from "vitest";
import { mergePatched } from "./merge-patch.ts";

/** RFC 7396, appendix A: the original, the patch, the result. */
const appendix: readonly (readonly [original: string, patch: string, result: string])[] = [
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', "{}"],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['["a","b"]', '["c","d"]', '["c","d"]'],
  ['{"a":"b"}', '["c"]', '["c"]'],
  ['{"a":"foo"}', "null", "null"],
  ['{"a":"foo"}', '"bar"', '"bar"'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ["[1,2]", '{"a":"b","c":null}', '{"a":"b"}'],
  ["{}", '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
];

describe("mergePatched()", () => {
  it.each(appendix)("makes of %s by %s what RFC 7396, appendix A has", (original, patch, result) => {
    const target: unknown = JSON.parse(original);
    expect(mergePatched(target, JSON.parse(patch))).toEqual(JSON.parse(result));
    expect(target).toEqual(JSON.parse(original));
  });

  it("takes a name of a prototype for a name", () => {
    const patched = mergePatched({}, JSON.parse('{"__proto__":{"x":1},"constructor":{"prototype":null}}'));
    expect(JSON.stringify(patched)).toBe('{"__proto__":{"x":1},"constructor":{}}');
    expect(({} as { x?: number }).x).toBeUndefined();
  });
});
