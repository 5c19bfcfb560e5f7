/**
 * What clients send that means harm, as data: for the tests of this folder, for `scripts/check/hardened-node.js`, for
 * any runtime.
 */

/** Targets that some system or other reads in two ways, or not at all. */
export const targets: readonly string[] = [
  // Forms of targets
  ..."/ /?x ?x a/b * h:80".split(" "),
  ..."http://h http://h?x http:///x HTTP://H/a http://u:p@[::1]:80/a http://[::1/ http://h:99999".split(" "),
  ..."http://h:99999/admin javascript:x data:,x blob:http://h/admin file:///admin".split(" "),
  ..."http: http:// https: http:admin http:/admin".split(" "),
  "",
  " ",
  " /admin",
  "http://b\u00fccher.example/admin",
  "http://h\u0000/admin",
  // Empty segments, backslashes, dot segments
  ..."// //evil/x ///x /\\evil \\admin /admin\\a".split(" "),
  ..."http://h\\admin //h/admin http://h//admin /./a /../a /%2e%2e/a /%252e/a".split(" "),
  ..."/admin/. /admin/.. /admin/../admin /x/../admin".split(" "),
  ..."/x/%2e%2e/admin /x/%2E./admin /%2e/admin /./admin /...//admin".split(" "),
  ..."/admin/%2e%2e/admin/a /admin/..;/a /..;/admin /a;x=1/b /admin; /admin;x /admin;x=1/a /admin.json /admin.".split(
    " ",
  ),
  // Escapes
  ..."/a%2Fb /a%2fb /a%5Cb /% /%4 /%zz /%%36%31dmin".split(" "),
  ..."/%25%36%31dmin /%c0%af /%ed%a0%80 /%ff%fe /%00 /%0d%0a /%u0061dmin".split(" "),
  ..."/%61dmin /%61%64%6d%69%6e /%2561dmin /admin%2F /admin%2Fa".split(" "),
  ..."/admin%2fsecret /%2Fadmin /admin%5Ca /admin%00 /admin%20".split(" "),
  ..."/admin%0a /admin%3Fx /admin%23x /admin/%61 /admin/a%2Fb".split(" "),
  ..."/admin/%ff /admin/% /admin/%00 /admin/%252e%252e /admin/%2e%2e%2fx".split(" "),
  // Near misses and other resources
  ..."/admin /admin/ /admin// //admin ///admin /ADMIN".split(" "),
  ..."/Admin /administrator /adminx/a /admi /admin/a /admin/a/ /admin//a".split(" "),
  ..."/admin/a//b /admin/constructor /admin/__proto__ /__proto__".split(" "),
  ..."/constructor /toString /admin/1 /admin/1/ /admin/item/7".split(" "),
  ..."/admin/item/7/ /admin/item//7 /admin/item/%37 /admin/ITEM/7 /admin/a.txt".split(" "),
  ..."/admin/a/b.txt /admin/x/y/z /item/7 /a /1".split(" "),
  // Query and fragment
  ..."/admin? /admin?x /admin?/../x /admin# /admin#x".split(" "),
  ..."/admin/?x /x?/admin /x#/admin /x?#/admin http://h/x?/admin http://h/x#/admin".split(" "),
  // Authorities
  ..."http://h/admin http://admin/ http://h:80/admin/a".split(" "),
  ..."http://u:p@h/admin http://h@evil/admin https://h/admin/ ftp://h/admin".split(" "),
  ..."http:///admin http://h/%61dmin HTTP://H/admin".split(" "),
  ..."ws://h/admin http://[::1]/admin http://127.1/admin http://h:65536/admin".split(" "),
  // Characters that no target may hold
  "/\ud800",
  "/\udc00a",
  "/admin\ud800",
  "/a\tb",
  "/ad\tmin",
  "/adm\nin",
  "/admin\r\nX: y",
  "/admin\0",
  "/admin\u2028",
  "/\u00e9",
  "/a\u0301",
  "/\u212aelvin",
  "/\uff0fadmin",
  "/admin\u3000",
];

/** Targets that cost time or memory wherever a step is worse than linear. */
export const longTargets: readonly string[] = [
  `/admin/${"x".repeat(8 * 1024 - 8)}`,
  `/admin/${"x".repeat(8 * 1024)}`,
  `/admin/${"x".repeat(64 * 1024)}`,
  `/admin/${"x".repeat(1024 * 1024)}`,
  `/admin?${"x".repeat(1024 * 1024)}`,
  `/admin#${"x".repeat(1024 * 1024)}`,
  `http://h/${"%61".repeat(64 * 1024)}`,
  "/a".repeat(3500),
  `${"/..".repeat(2500)}/admin`,
  `/admin${"/".repeat(8000)}`,
  `/${"-a".repeat(4000)}`,
  `/${".a".repeat(4000)}`,
  `/${"%2F".repeat(2700)}`,
  `/${"%".repeat(8000)}`,
  `/${"\u00e9".repeat(8000)}`,
  `http://${"h".repeat(64 * 1024)}/admin`,
  `${"x".repeat(64 * 1024)}://h/admin`,
];

/** Method tokens that are none of the nine. */
export const strangeMethods: readonly string[] = [
  ..."get Get gET PURGE PROPFIND QUERY ALL".split(" "),
  ..."PATHS paths constructor __proto__ prototype toString valueOf hasOwnProperty".split(" "),
  ..."handle match next then params errorHeaders resourceOf __defineGetter__ GETT GE G TRACK *".split(" "),
  "",
  " ",
  " GET",
  "GET ",
  "GET\0",
  "GET\n",
  "GET /admin",
  "\uff27\uff25\uff34",
  "0",
  "X".repeat(10 * 1024),
];

/** What a host may pass by mistake instead of an input; each with what its mistake is. */
export const mistakenInputs: readonly (readonly [because: string, input: () => unknown])[] = [
  ["undefined", () => undefined],
  ["null", () => null],
  ["a boolean", () => true],
  ["a number", () => 7],
  ["NaN", () => Number.NaN],
  ["a bigint", () => 7n],
  ["a string", () => "/admin"],
  ["a symbol", () => Symbol("/admin")],
  ["an empty object", () => ({})],
  ["an object of null prototype", () => Object.create(null)],
  ["an array", () => ["/admin", "GET"]],
  ["a function without url", () => () => {}],
  ["url as URL object", () => ({ url: new URL("http://h/admin"), method: "GET" })],
  ["url as String object", () => ({ url: new String("/admin"), method: "GET" })],
  ["url as number", () => ({ url: 7, method: "GET" })],
  ["url as array", () => ({ url: ["/admin"], method: "GET" })],
  ["url as an object that becomes text", () => ({ url: { toString: () => "/admin" }, method: "GET" })],
  ["no method", () => ({ url: "/admin" })],
  ["method as number", () => ({ url: "/admin", method: 7 })],
  ["method as null", () => ({ url: "/admin", method: null })],
  ["method as array", () => ({ url: "/admin", method: ["GET"] })],
  ["method as String object", () => ({ url: "/admin", method: new String("GET") })],
  ["method as an object that becomes text", () => ({ url: "/admin", method: { toString: () => "GET" } })],
  ["method as symbol", () => ({ url: "/admin", method: Symbol("GET") })],
  ["a frozen object", () => Object.freeze({ url: "/admin", method: "GET" })],
  ["a sealed object", () => Object.seal({ url: "/admin", method: "GET" })],
  ["an object that cannot be extended", () => Object.preventExtensions({ url: "/admin", method: "GET" })],
  ["read-only params", () => Object.defineProperty({ url: "/admin", method: "GET" }, "params", { value: 1 })],
  [
    "params with a getter only",
    () => ({
      url: "/admin",
      method: "GET",
      get params() {
        return 1;
      },
    }),
  ],
  ["a proxy that takes no property", () => new Proxy({ url: "/admin", method: "GET" }, { set: () => false })],
  ["a proxy that takes and forgets", () => new Proxy({ url: "/admin", method: "GET" }, { set: () => true })],
];

/** Names that every object seems to have, or that a program may have put on all of them. */
export const inheritedNames =
  "__proto__ constructor toString valueOf hasOwnProperty __defineGetter__ prototype length".split(" ");

/** Shortened and quoted, for the name of a test or the line of a report. */
export function shown(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 40)}\u2026 (${text.length})` : text);
}
