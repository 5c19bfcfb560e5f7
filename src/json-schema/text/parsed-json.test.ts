import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { HTTPError } from "../../http/protocol/http-error.ts";
import { parseJsonContent } from "./parsed-json.ts";

describe("parseJsonContent()", () => {
  it.each<[string, unknown]>([
    ["null", null],
    [' {"a": [1, "é", true]} ', { a: [1, "é", true] }],
    ['{"a":{"a":1},"b":[{"a":1},{"a":1}]}', { a: { a: 1 }, b: [{ a: 1 }, { a: 1 }] }],
    ['{"a":"\\":\\":","b":" : :"}', { a: '":":', b: " : :" }],
    ['{ "a" :\t1 , "\\u0062"\n:\r2 }', { a: 1, b: 2 }],
    ['{"constructor":"Ferrari","prototype":1}', { constructor: "Ferrari", prototype: 1 }],
    ['{"constructor":null}', { constructor: null }],
    ['["__proto__", "constructor"]', ["__proto__", "constructor"]],
    ['"\\u005f\\u005fproto__"', "__proto__"],
    ['"\\ud83d\\ude00"', "😀"],
    ['"\\\\ud83d"', "\\ud83d"],
    ['"😀\\uD83D\\uDE00\\\\"', "😀😀\\"],
  ])("reads %s, from text and from bytes", (text, value) => {
    expect(parseJsonContent(text)).toEqual(value);
    expect(parseJsonContent(bytesOf(text))).toEqual(value);
  });

  it.each<[string, string]>([
    ["", "The content is not JSON"],
    ["{", "The content is not JSON"],
    ["{'a':1}", "The content is not JSON"],
    ["[1,]", "The content is not JSON"],
    ["NaN", "The content is not JSON"],
    ["\ufeff5", "The content begins with a byte order mark"],
    ["\ufeff\ufeff1", "The content begins with a byte order mark"],
    [" \ufeff1", "The content is not JSON"],
    ['{"__proto__":{"a":1}}', "The content has a member named __proto__"],
    ['[{"a":{"\\u005f_proto__":null}}]', "The content has a member named __proto__"],
    ['{"constructor":{"prototype":{}}}', "The content has a member named prototype in one named constructor"],
    [
      '{"\\u0063onstructor":{"pro\\u0074otype":{}}}',
      "The content has a member named prototype in one named constructor",
    ],
    ['{"a":1,"a":1}', "The content has two members with one name"],
    ['{"a":1,"\\u0061":2}', "The content has two members with one name"],
    ['{ "a" : 1, "b": "x:y", "a"\n: { "c":"d" } }', "The content has two members with one name"],
    ['[{"b":[{"":1,"":null}]}]', "The content has two members with one name"],
    [`{"a":"${":".repeat(200)}","a":2}`, "The content has two members with one name"],
    ['"\\ud83d"', "The content has a string with half of a surrogate pair"],
    ['{"\\uDE00":1}', "The content has a string with half of a surrogate pair"],
    ['"\\ude00\\ud83d"', "The content has a string with half of a surrogate pair"],
    ['"\\ud83d\\n\\ude00"', "The content has a string with half of a surrogate pair"],
    ['["\\ud83d","\\ude00"]', "The content has a string with half of a surrogate pair"],
  ])("refuses %s", (text, message) => {
    expect(refusalOf(text)).toBe(message);
    expect(refusalOf(bytesOf(text))).toBe(message);
  });

  it("refuses half of a surrogate pair that a text has as it is", () => {
    expect(refusalOf('"\ud83d"')).toBe("The content has a string with half of a surrogate pair");
  });

  it.each<[string, number[]]>([
    ["a lone byte", [0x22, 0xff, 0x22]],
    ["an overlong form", [0x22, 0xc0, 0xaf, 0x22]],
    ["half of a surrogate pair", [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ["a character that is cut off", [0x22, 0xe2, 0x82]],
    ["UTF-16", [0xff, 0xfe, 0x31, 0x00]],
  ])("refuses bytes with %s, and reads the next ones", (_, bytes) => {
    expect(refusalOf(Uint8Array.from(bytes))).toBe("The content is not UTF-8");
    expect(parseJsonContent(bytesOf('"é"'))).toBe("é");
  });

  it("reads 512 levels, and refuses 513, objects and lists alike", () => {
    for (const [open, close] of [
      ["[", "]"],
      ['{"a":', "}"],
    ] as const) {
      const nested = (levels: number) => open.repeat(levels) + "1" + close.repeat(levels);
      expect(refusalOf(nested(512))).toBeNull();
      expect(refusalOf(nested(513))).toBe("The content is nested more than 512 times");
    }
    const mixed = '[{"a":'.repeat(257) + "1" + "}]".repeat(257);
    expect(refusalOf(mixed)).toBe("The content is nested more than 512 times");
  });

  it("refuses content that opens a million brackets before it parses it", () => {
    expect(refusalOf("[".repeat(1 << 20))).toBe("The content is nested more than 512 times");
  });

  it("does not count brackets beside one another, nor in strings", () => {
    expect(refusalOf(`[${"{},".repeat(2_000)}[]]`)).toBeNull();
    expect(refusalOf(JSON.stringify(["[".repeat(2_000), '\\"{'.repeat(2_000)]))).toBeNull();
    expect(refusalOf(`"${"[".repeat(2_000)}`)).toBe("The content is not JSON");
  });

  it("looks for prototypes at any depth that is read", () => {
    const text = '{"a":['.repeat(256) + '{"__proto__":1}' + "]}".repeat(256);
    expect(refusalOf(text)).toBe("The content is nested more than 512 times");
    expect(refusalOf(text.slice('{"a":['.length, -2))).toBe("The content has a member named __proto__");
  });

  it("reads colons in strings, however many", () => {
    for (const text of [":", '":', " :", "a: ", '\\":"'])
      expect(refusalOf(JSON.stringify({ a: text.repeat(1000), b: { [text]: 1 } })), text).toBeNull();
  });

  it("looks for no members in the characters of one string, which took a second for 1 MB of them on Bun", () => {
    const looks = [vi.spyOn(Object, "values"), vi.spyOn(Object, "hasOwn")];
    expect(parseJsonContent('"a:b:c:d"')).toBe("a:b:c:d");
    const calls = looks.map((look) => look.mock.calls.length);
    vi.restoreAllMocks();
    expect(calls).toEqual([0, 0]);
  });

  it("counts no members that all objects have", () => {
    const all = Object.prototype as { shared?: number };
    let refused: unknown;
    all.shared = 1;
    try {
      parseJsonContent('{"a":1,"a":2}');
    } catch (error) {
      refused = error;
    }
    delete all.shared;
    expect(refused).toMatchObject({ status: 400, message: "The content has two members with one name" });
  });

  it("refuses exactly the objects that have a name twice, at any place", () => {
    const name = fc.constantFrom("a", "b", "\\u0061", '\\"', ":", '\\":', " : ");
    const blank = fc.constantFrom("", " ", "\n\t", "\r");
    const { value } = fc.letrec<{ value: [text: string, isRepeated: boolean] }>((tie) => ({
      value: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        fc.constantFrom<[string, boolean]>(["1", false], ['":"', false], ['"\\":"', false], ["null", false]),
        fc
          .array(tie("value"), { maxLength: 3 })
          .map((items): [string, boolean] => [
            `[${items.map(([text]) => text).join()}]`,
            items.some(([, isRepeated]) => isRepeated),
          ]),
        fc
          .array(fc.tuple(name, blank, tie("value")), { maxLength: 4 })
          .map((members): [string, boolean] => [
            `{${members.map(([own, white, [text]]) => `"${own}"${white}:${white}${text}`).join()}}`,
            new Set(members.map(([own]) => JSON.parse(`"${own}"`) as string)).size < members.length ||
              members.some(([, , [, isRepeated]]) => isRepeated),
          ]),
      ),
    }));
    fc.assert(
      fc.property(value, ([text, isRepeated]) => {
        expect(refusalOf(text)).toBe(isRepeated ? "The content has two members with one name" : null);
      }),
      { numRuns: 500 },
    );
  });

  it("keeps nothing of what was sent in the error", () => {
    try {
      parseJsonContent('{"secret": hunter2}');
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ status: 400, message: "The content is not JSON" });
      expect((error as Error).cause).toBeUndefined();
    }
  });

  it("reads what JSON.stringify() writes", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!text.includes("__proto__"));
        expect(parseJsonContent(bytesOf(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it("refuses exactly the strings that are not well-formed, however they are escaped", () => {
    const unit = fc.constantFrom("a", "\\", '"', "\n", "\ud83d", "\ude00", "😀", "ud83d");
    fc.assert(
      fc.property(fc.string({ unit }), fc.boolean(), (string, isEscaped) => {
        const text = JSON.stringify(string);
        const escaped = isEscaped ? text.replace(/[^ -~]/g, (half) => `\\u${half.charCodeAt(0).toString(16)}`) : text;
        expect(refusalOf(escaped) === null).toBe(string.isWellFormed());
      }),
    );
  });

  it.each([
    ["9007199254740991", false],
    ["9007199254740992", false],
    ["12345678901234567000", false],
    ["9007199254740993", true],
    ["[-9007199254740993]", true],
    ['{"a":12345678901234567890}', true],
    ["12345678901234567890.5", false],
    ["0.12345678901234567890", false],
    ["1e20", false],
    ["1e400", true],
    ["[0,-1E+400]", true],
    ["1e-400", false],
    ['"12345678901234567890 1e400"', false],
    ['{"12345678901234567890":1}', false],
  ])("refuses numbers that would be other ones: %s", (text, isRefused) => {
    const message = "The content has an integer that would lose digits, or a number that is not finite";
    expect(refusalOf(text)).toBe(isRefused ? message : null);
  });

  it("refuses more members than it is told, in lists and objects of any depth", () => {
    const refused = (text: string): string | null => {
      try {
        parseJsonContent(text, 4);
        return null;
      } catch (error) {
        return `${(error as HTTPError).status} ${(error as Error).message}`;
      }
    };
    const message = "413 The content has more than 4 members";
    expect(["[1,2,3,4]", "[[1],[2]]", '{"a":[1,2,3]}', '"12345678"', "12345678.5"].map(refused)).toEqual(
      Array.from({ length: 5 }, () => null),
    );
    expect(["[1,2,3,4,5]", "[[1],[2],[]]", '{"a":[1,{"b":1},3]}'].map(refused)).toEqual([message, message, message]);
    expect(() => parseJsonContent(JSON.stringify(Array.from({ length: 100_001 }, () => ({}))))).toThrow(
      "The content has more than 100000 members",
    );
  });
});

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The message of a 400; null if content was read. */
function refusalOf(content: Uint8Array | string): string | null {
  try {
    parseJsonContent(content);
    return null;
  } catch (error) {
    if (!(error instanceof HTTPError) || error.status !== 400) throw error;
    return error.message;
  }
}
