import { describe, expect, it } from "vitest";
import {
  absent,
  isCanonicalPath,
  isPlainPath,
  hasDotSegment,
  isDotSegment,
  isPlainUrl,
  originEnd,
  parserLeavesDots,
  pathStart,
  pathOf,
  queryOf,
  tooLong,
  unmatched,
  unparseable,
} from "./target-path.ts";

describe("originEnd()", () => {
  it("finds the slash after an origin that needs no parser", () => {
    const origins =
      "http://h https://h.example http://a-b.c-d.example http://a-bc-de.fg-hi.jk http://localhost:3000 " +
      "http://127.0.0.1:80 https://h:59999 http://h:0";
    for (const origin of origins.split(" ")) expect(originEnd(`${origin}/a`), origin).toBe(origin.length);
  });

  it("is -1 where it takes the parser to tell", () => {
    const targets =
      "http://h http://h?a/b http://h#/a HTTP://h/a http://H/a http://u@h/a http://[::1]/a http://1/a " +
      "http://h:60000/a " +
      "http://h:123456/a http://-h/a http://h-/a http://a..b/a http://h./a http://a_b/a http://a-_b/a http://a-b-%/a " +
      "http:/h/a http:h/a http:\\\\h\\a " +
      "http://127.0.0.10/a http://h\\a/b ftp://h/a file:///a h:80/a a/b * ?/a javascript:/a";
    for (const target of targets.split(" ")) expect(originEnd(target), target).toBe(-1);
    expect(originEnd("")).toBe(-1);
    expect(originEnd("x http://h/a")).toBe(-1);
  });

  it("finds the path where the URL parser finds it", () => {
    for (const origin of ["http://a1-b2.c3:8080", "https://a.b.c.d", "http://127.0.0.1:1"]) {
      expect(new URL(`${origin}/x/y`).origin).toBe(origin);
      expect(originEnd(`${origin}/x/y`)).toBe(origin.length);
    }
  });
});

describe("isPlainPath()", () => {
  const isPlain = (path: string): boolean => isPlainPath(path, 0, path.length);

  it("takes a path that the URL parser leaves as it is", () => {
    for (const path of ["/", "/a/b", "/a.b/c..", "/.a/..b/...", "//", "/a//b/", "/-_~!$&'()*+,;=:@[]|^"]) {
      expect(isPlain(path), path).toBe(true);
      expect(new URL(`http://h${path}`).pathname.replaceAll("%5E", "^"), path).toBe(path);
    }
  });

  it("does not take one with dot segments, escapes, or what the URL parser encodes or drops", () => {
    const resolved = ["/.", "/..", "/a/./b", "/a/..", "/.a/../b", "/..?b", "/%61", "/%", "/a\\b", "/a\tb", "/a\n"];
    const encoded = ["/a b", "/é", '/"', "/<", "/>", "/`", "/{", "/}", "/\0", "/\x7f", "/a?", "/a#b"];
    for (const path of [...resolved, ...encoded, "a", ""]) expect(isPlain(path), path).toBe(false);
  });

  it("looks at the part between start and end only", () => {
    expect(isPlainPath("é/a/b%20?é", 1, 5)).toBe(true);
    expect(isPlainPath("é/a/b%20?é", 3, 5)).toBe(true);
    expect(isPlainPath("é/a/b%20?é", 1, 6)).toBe(false);
    expect(isPlainPath("é/a/b%20?é", 1, 4)).toBe(false);
  });
});

/** Asks something of the path of a URL. */
function ask(question: typeof isPlainUrl, url: string): boolean {
  const query = url.indexOf("?");
  return question(url, url.indexOf("/", 8), query < 0 ? url.length : query);
}

describe("isCanonicalPath()", () => {
  const isCanonical = (path: string): boolean => isCanonicalPath(path, 0, path.length);

  it("C4.2 is true of no escape that has another form", () => {
    for (let octet = 0; octet < 256; octet++) {
      const upper = `%${octet.toString(16).toUpperCase().padStart(2, "0")}`;
      const isKept = pathOf(`/a${upper}b`) === `/a${upper}b`;
      if (isCanonical(`/a${upper}b/${upper}`)) expect(isKept, upper).toBe(true);
      // Octets that are kept and not known are looked at one by one.
      else expect(!isKept || "[\\]`{|}\x7f".includes(String.fromCharCode(octet)), upper).toBe(true);
      if (upper !== upper.toLowerCase()) expect(isCanonical(`/a${upper.toLowerCase()}`), upper).toBe(false);
    }
  });

  it("is true of a path with and without escapes, wherever they stand", () => {
    for (const path of "/ /a /%20 /a%20 /%20a /%C3%A9%C3%A9/a/%2F%2F/ /a//%20 /.a%20 /..%20 /%20..".split(" "))
      expect(isCanonical(path), path).toBe(true);
  });

  it("is false if it is not a path, malformed or rewritten", () => {
    const paths =
      "a %20 /% /%2 /%zz /%%20 /a%2 /%20? /%20# /%20\\ /é%20 /%20/. /%20/.. /./%20 /../%20 /a/../%20 /%2E /%2e%2e/a";
    for (const path of ["", "/%20 ", "/%20\t", ...paths.split(" ")]) expect(isCanonical(path), path).toBe(false);
  });

  it("looks at the text between two places", () => {
    expect(isCanonicalPath("é/a/b%20?é", 1, 8)).toBe(true);
    expect(isCanonicalPath("é/a/b%20?é", 1, 9)).toBe(false);
    expect(isCanonicalPath("é/a/b%20?é", 1, 7)).toBe(false);
    expect(isCanonicalPath("é/a/b%20?é", 0, 8)).toBe(false);
  });
});

describe("isPlainUrl()", () => {
  const isPlain = (url: string): boolean => ask(isPlainUrl, url);

  it("takes a URL without escapes and fragment in its path", () => {
    const urls = "/ /a/b /a/b/?%20 /.a/..b/c. /a?/../b?c".split(" ");
    for (const url of urls) expect(isPlain(`http://h.i${url}`), url).toBe(true);
  });

  it("does not take one with them", () => {
    for (const url of "/%20 /a/%2F?b /a#b /a#b?c /a?b#c".split(" "))
      expect(isPlain(`http://h.i${url}`), url).toBe(false);
  });
});

describe("hasDotSegment()", () => {
  const has = (url: string): boolean => ask(hasDotSegment, url);

  it.runIf(parserLeavesDots)("finds dot segments that the parser left", () => {
    for (const url of "/.a/.. /.a/../b /.a/. /.a/./?b".split(" ")) expect(has(`http://h.i${url}`), url).toBe(true);
  });

  it("finds none where there is none", () => {
    const urls = "/ /a/b /.a/..b/c. /... /a?/../b /a?b/./c".split(" ");
    for (const url of urls) expect(has(`http://h.i${url}`), url).toBe(false);
  });

  it.skipIf(parserLeavesDots)("does not look for what the parser does not leave", () => {
    expect(has("http://h/.a/..")).toBe(false);
  });
});

describe("isDotSegment()", () => {
  it("is true of one dot and of two", () => {
    expect(isDotSegment("/a/./b", 3, 4)).toBe(true);
    expect(isDotSegment("/a/../b", 3, 5)).toBe(true);
  });

  it("is false of all else", () => {
    expect(isDotSegment("/a/.b/c", 3, 5)).toBe(false);
    expect(isDotSegment("/a/b./c", 3, 5)).toBe(false);
    expect(isDotSegment("/a/.../c", 3, 6)).toBe(false);
    expect(isDotSegment("/a/b/c", 3, 4)).toBe(false);
  });
});

describe("pathStart()", () => {
  it("is 0 of a path, the end of an origin, or -1", () => {
    expect(pathStart("/a")).toBe(0);
    expect(pathStart("//h/a")).toBe(0);
    expect(pathStart("http://h/a")).toBe(8);
    for (const target of ["", "*", "a/b", "http://h:99999/a"]) expect(pathStart(target)).toBe(-1);
  });
});

describe("pathOf()", () => {
  it("resolves, encodes and canonicalizes", () => {
    expect(pathOf("/a/../%62/./c%2f?x#y")).toBe("/b/c%2F");
    expect(pathOf("/é\\x")).toBe("/%C3%A9/x");
    expect(pathOf("//h/x")).toBe("//h/x");
    expect(pathOf("http://h")).toBe("/");
    expect(pathOf("HTTP://u:p@H:1/%61?x")).toBe("/a");
  });

  it("resolves the dot segments that some URL parsers leave", () => {
    expect(pathOf("/x/.a/../admin")).toBe("/x/admin");
    expect(pathOf("/x/.a/../../../admin")).toBe("/admin");
    expect(pathOf("/x/.a/..")).toBe("/x/");
    expect(pathOf("/x/.a/.")).toBe("/x/.a/");
    expect(pathOf("/x/.a/./b/")).toBe("/x/.a/b/");
    expect(pathOf("/x/.a//..//../b")).toBe("/x/.a/b");
    expect(pathOf("/x/.a/.b/...")).toBe("/x/.a/.b/...");
    expect(pathOf("http://h/x/.a/..?b/../c")).toBe("/x/");
  });

  it("reads URLs of other schemes that have a path", () => {
    expect(pathOf("foo:/a/../b")).toBe("/b");
    expect(pathOf("foo://h")).toBe("/");
    expect(pathOf("foo://h?x")).toBe("/");
    expect(pathOf("file:///a")).toBe("/a");
  });

  it("finds no path in other forms", () => {
    for (const target of [
      "",
      "*",
      "a/b",
      "?x",
      "#x",
      "h:80",
      "javascript:x",
      "data:,/a",
      "foo:",
      "1:/a",
      " /a",
      "a/b:c",
      "*http://h/a",
    ]) {
      expect(pathOf(target), target).toBe(absent);
    }
  });

  it("detects a URL that cannot be parsed", () => {
    for (const target of ["http://", "http:", "http://[", "http://h:x", "  http://h:99999", "h\nttp://%"]) {
      expect(pathOf(target), target).toBe(unparseable);
    }
  });

  it("detects a path that is too long, once it is canonical", () => {
    expect(pathOf(`/${"a".repeat(8191)}`)).toHaveLength(8192);
    expect(pathOf(`/${"a".repeat(8192)}`)).toBe(tooLong);
    expect(pathOf(`/${"%61".repeat(8191)}`)).toHaveLength(8192);
    expect(pathOf(`/${"%2F".repeat(2731)}`)).toBe(tooLong);
  });

  it("returns problems that nobody can change", () => {
    for (const problem of [unmatched, absent, unparseable, tooLong]) expect(Object.isFrozen(problem)).toBe(true);
    const words = [unmatched, absent, unparseable, tooLong].map(({ problem }) => problem);
    expect(words).toEqual(["unmatched", "absent", "unparseable", "too long"]);
  });
});

describe("queryOf()", () => {
  it("is what stands from the question mark up to the fragment", () => {
    expect(queryOf("/a?b=c&d#e")).toBe("?b=c&d");
    expect(queryOf("http://h?x?y")).toBe("?x?y");
    expect(queryOf("/a?")).toBe("?");
    expect(queryOf("?x")).toBe("?x");
  });

  it("is empty without one, and where the question mark belongs to the fragment", () => {
    expect(queryOf("/a")).toBe("");
    expect(queryOf("/a#b?c")).toBe("");
    expect(queryOf("#?c")).toBe("");
    expect(queryOf("")).toBe("");
  });
});
