import { but, carriers, decisionsOf, isProblem, type DecisionRow } from "./decision.ts";

const readAllowed = "GET, HEAD, OPTIONS";
const unknown = ["PURGE", "COPY", "PROPFIND", "LOCK", "REPORT", "M-SEARCH", "UNLINK"];

/** An operation without a declaration: what is asked is the method, and nothing else. */
const none: readonly DecisionRow[] = [
  {
    ask: "/none",
    is: 200,
    fields: { "content-type": "application/json" },
    because: "a method that is implemented is performed (RFC 9110 §9.1)",
  },
  {
    ask: "/none/void",
    is: 204,
    fields: { "content-type": null },
    because: "without content the answer is 204, and has no type (RFC 9110 §15.3.5)",
  },
  { ask: "/none/read", by: ["GET"], is: 200, because: "a method that is implemented is performed (RFC 9110 §9.1)" },
  {
    ask: "/none/read",
    by: ["HEAD"],
    is: 200,
    fields: { "content-type": "application/json" },
    because: "GET answers HEAD (RFC 9110 §9.3.2)",
  },
  {
    ask: "/none/read",
    by: ["OPTIONS"],
    is: 204,
    fields: { allow: readAllowed, "content-type": null },
    because: "OPTIONS says which methods there are (RFC 9110 §9.3.7)",
  },
  {
    ask: "/none/read",
    by: but("GET", "HEAD", "OPTIONS"),
    is: 405,
    fields: { allow: readAllowed, ...isProblem },
    because: "a known method that the resource does not have is 405, with Allow (RFC 9110 §15.5.6)",
  },
  { ask: "/none/write", by: ["POST"], is: 200, because: "a method that is implemented is performed (RFC 9110 §9.1)" },
  {
    ask: "/none/write",
    by: ["OPTIONS"],
    is: 204,
    fields: { allow: "OPTIONS, POST", "accept-post": null },
    because: "Allow lists the methods that there are, and no HEAD without GET (RFC 9110 §10.2.1)",
  },
  {
    ask: "/none/write",
    by: but("OPTIONS", "POST"),
    is: 405,
    fields: { allow: "OPTIONS, POST" },
    because: "without GET there is no HEAD (RFC 9110 §15.5.6)",
  },
  {
    ask: "/none/nothing",
    by: ["OPTIONS"],
    is: 204,
    fields: { allow: "OPTIONS" },
    because: "there is nothing but OPTIONS (RFC 9110 §9.3.7)",
  },
  {
    ask: "/none/nothing",
    by: but("OPTIONS"),
    is: 405,
    fields: { allow: "OPTIONS" },
    because: "a resource may have no method at all (RFC 9110 §15.5.6)",
  },
  { ask: "/none/absent", is: 404, fields: isProblem, because: "no resource has the path (RFC 9110 §15.5.5)" },
  { ask: "/none?n=x", is: 200, because: "a query that is not declared is not read (RFC 9110 §7.1)" },
  {
    ask: "/none",
    by: carriers,
    sent: { "content-type": "image/png" },
    content: "x",
    is: 200,
    because: "content that is not declared is not looked at (RFC 9110 §8.3)",
  },
  {
    ask: "/none",
    sent: { accept: "image/png" },
    is: 200,
    because: "without declared types the client gets what there is, rather than 406 (RFC 9110 §12.4.1)",
  },
  {
    ask: "/none",
    sent: { "if-match": '"7"' },
    is: 200,
    because: "without validators no precondition is evaluated (RFC 9110 §13.1)",
  },
  {
    ask: "/none",
    sent: { "if-none-match": "*" },
    is: 200,
    because: "without validators no precondition is evaluated (RFC 9110 §13.1)",
  },
  {
    ask: "/none",
    sent: { range: "bytes=0-1" },
    is: 200,
    fields: { "accept-ranges": null },
    because: "a server may ignore Range (RFC 9110 §14.2)",
  },
  {
    ask: "/none",
    by: unknown,
    is: 501,
    fields: { ...isProblem, allow: null },
    because: "a method that the server does not know for any resource is 501 (RFC 9110 §9.1)",
  },
];

const listAllowed = "GET, HEAD, OPTIONS, POST, QUERY";
const oneAllowed = "DELETE, GET, HEAD, OPTIONS, PATCH, PUT";

/** Methods that exist on some of a class's paths. */
const at: readonly DecisionRow[] = [
  { ask: "/at/x", is: 200, because: "the method exists at this path (RFC 9110 §9.1)" },
  {
    ask: "/at/y/1",
    by: but("OPTIONS"),
    is: 405,
    fields: { allow: "OPTIONS", ...isProblem },
    because: "at another path of the class the method does not exist (RFC 9110 §15.5.6)",
  },
  {
    ask: "/at/y/1",
    by: ["OPTIONS"],
    is: 204,
    fields: { allow: "OPTIONS" },
    because: "where its own OPTIONS does not exist there is the one of the chain (RFC 9110 §9.3.7)",
  },
  {
    ask: "/at/list",
    by: ["GET", "HEAD", "POST", "QUERY"],
    is: 200,
    because: "a method without `at` exists at each path (RFC 9110 §9.1)",
  },
  {
    ask: "/at/list",
    by: ["OPTIONS"],
    is: 204,
    fields: { allow: listAllowed },
    because: "Allow is of the path, and not of the class (RFC 9110 §10.2.1)",
  },
  {
    ask: "/at/list",
    by: ["CONNECT", "DELETE", "PATCH", "PUT", "TRACE"],
    is: 405,
    fields: { allow: listAllowed },
    because: "Allow is of the path, and not of the class (RFC 9110 §15.5.6)",
  },
  {
    ask: "/at/one/1",
    by: ["DELETE", "GET", "HEAD", "PATCH", "PUT"],
    is: 200,
    because: "a method without `at` exists at each path (RFC 9110 §9.1)",
  },
  {
    ask: "/at/one/1",
    by: ["OPTIONS"],
    is: 204,
    fields: { allow: oneAllowed },
    because: "Allow is of the path, and not of the class (RFC 9110 §10.2.1)",
  },
  {
    ask: "/at/one/1",
    by: ["CONNECT", "POST", "QUERY", "TRACE"],
    is: 405,
    fields: { allow: oneAllowed },
    because: "Allow is of the path, and not of the class (RFC 9110 §15.5.6)",
  },
  { ask: "/at/one", is: 404, because: "a path without its param is no path of the class (RFC 9110 §15.5.5)" },
];

export const decisionsByMethod = [...decisionsOf("none", none), ...decisionsOf("at", at)];
