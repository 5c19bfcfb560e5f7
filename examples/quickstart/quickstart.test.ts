import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ask, started } from "../../tests/support/sockets.ts";
import { application as native } from "./native/application.ts";
import { notes } from "./notes.ts";
import { application as polyfill } from "./polyfill/application.ts";
import { application as semantics } from "./semantics/application.ts";
import { readingList } from "./reading-list.ts";

interface Question {
  readonly because: string;
  readonly ask: string;
  readonly content?: string;
  readonly authorization?: string;
  readonly status: number;
  readonly answer?: unknown;
  readonly fields?: Record<string, string>;
}

const kindred = {
  id: 1,
  title: "Kindred",
  author: "Octavia Butler",
  isbn: "9780807083697",
  shelf: "fiction/time-travel",
};
const darkness = {
  id: 2,
  title: "The Left Hand of Darkness",
  author: "Ursula K. Le Guin",
  isbn: "9780441478125",
  shelf: "fiction/space",
};
const wizard = { id: 3, title: "A Wizard of Earthsea", author: "Ursula K. Le Guin", shelf: "fiction" };
const emma = { title: "Emma", author: "Jane Austen" };
const password = `Basic ${btoa("librarian:shelf")}`;
const json = { "content-type": "application/json" };
const problem = { "content-type": "application/problem+json" };

const problemOf = (status: number, title: string, detail?: string): unknown => ({
  title,
  status,
  ...(detail && { detail }),
});

const questions: readonly Question[] = [
  {
    because: "root",
    ask: "GET /",
    status: 200,
    answer: "A reading list: see /books\n",
    fields: { "content-type": "text/plain;charset=UTF-8" },
  },
  {
    because: "optional param, absent",
    ask: "GET /books",
    status: 200,
    answer: [kindred, darkness, wizard],
    fields: json,
  },
  { because: "optional param", ask: "GET /books/2", status: 200, answer: darkness },
  { because: "query parameter", ask: "GET /books?x=1&title=wiz", status: 200, answer: [wizard] },
  { because: "trailing slash", ask: "GET /books/2/", status: 200, answer: darkness },
  { because: "escaped", ask: "GET /%62ooks/%32", status: 200, answer: darkness },
  { because: "required param", ask: "GET /authors/Octavia%20Butler", status: 200, answer: [kindred] },
  {
    because: "constrained param",
    ask: "GET /isbn/9780441478125",
    status: 303,
    answer: "",
    fields: { location: "/books/2" },
  },
  {
    because: "affixed param",
    ask: "GET /books.md",
    status: 200,
    answer:
      "- *Kindred* by Octavia Butler\n- *The Left Hand of Darkness* by Ursula K. Le Guin\n- *A Wizard of Earthsea* by Ursula K. Le Guin\n",
  },
  { because: "rest", ask: "GET /shelves/fiction/space", status: 200, answer: [darkness] },
  {
    because: "expression",
    ask: "GET /kindred/opening.txt",
    status: 200,
    answer: "She loses an arm on the first page.\n",
  },
  {
    because: "created",
    ask: "POST /books",
    content: JSON.stringify(emma),
    status: 201,
    answer: { id: 4, ...emma },
    fields: { location: "/books/4" },
  },
  {
    because: "replaced",
    ask: "PUT /books/1",
    content: JSON.stringify({ ...emma, id: 7 }),
    status: 200,
    answer: { id: 1, ...emma },
  },
  { because: "deleted", ask: "DELETE /books/1", status: 204, answer: "" },
  { because: "note kept", ask: "PUT /emma/end.txt", content: "They marry.", status: 204, answer: "" },
  {
    because: "guard, without a password",
    ask: "GET /admin/statistics",
    status: 401,
    answer: problemOf(401, "Unauthorized", "Only the librarian may enter"),
    fields: { ...problem, "www-authenticate": 'Basic realm="library"' },
  },
  { because: "guard, wrong password", ask: "GET /admin/statistics", authorization: "Basic eDp5", status: 401 },
  { because: "guard, method not implemented", ask: "DELETE /admin/statistics", status: 401 },
  { because: "guard, spelled otherwise", ask: "GET /%61dmin/statistics/", status: 401 },
  {
    because: "static, behind the guard",
    ask: "GET /admin/statistics",
    authorization: password,
    status: 200,
    answer: { books: 3, seenBy: "librarian" },
  },
  { because: "no such path", ask: "GET /nowhere", status: 404, answer: problemOf(404, "Not Found"), fields: problem },
  { because: "empty segment", ask: "GET //admin/statistics", status: 404 },
  {
    because: "unknown id",
    ask: "GET /books/99",
    status: 404,
    answer: problemOf(404, "Not Found", "There is no book 99"),
  },
  { because: "id that is no id", ask: "GET /books/1e0", status: 404 },
  {
    because: "unknown ISBN",
    ask: "GET /isbn/9780000000000",
    status: 404,
    answer: problemOf(404, "Not Found", "There is no book with ISBN 9780000000000"),
  },
  { because: "constraint not met", ask: "GET /isbn/123", status: 404, answer: problemOf(404, "Not Found") },
  { because: "unknown format", ask: "GET /books.pdf", status: 404 },
  { because: "unknown note", ask: "GET /emma/begin.txt", status: 404 },
  {
    because: "bad JSON",
    ask: "POST /books",
    content: '{"title',
    status: 400,
    answer: problemOf(400, "Bad Request", "The content is not JSON"),
    fields: problem,
  },
  { because: "no content", ask: "POST /books", status: 400 },
  {
    because: "JSON that is no book",
    ask: "POST /books",
    content: "null",
    status: 422,
    answer: problemOf(422, "Unprocessable Content", 'A book has a "title" and an "author"'),
  },
  { because: "bad escape", ask: "GET /books/%ff", status: 400 },
  {
    because: "method not implemented",
    ask: "PATCH /books",
    content: "{}",
    status: 501,
    answer: problemOf(501, "Not Implemented"),
  },
  { because: "method not implemented by the item", ask: "POST /books/1", content: "{}", status: 501 },
  { because: "HEAD is not GET", ask: "HEAD /books", status: 501, answer: "" },
];

for (const [chain, application] of [["native", native] as const, ["polyfill", polyfill] as const]) {
  describe(`quickstart by the ${chain} chain`, () => {
    beforeEach(() => {
      readingList.reset();
      notes.delete("emma/end.txt");
      // A 501 is reported, as every status that says that the server is at fault.
      vi.spyOn(console, "error").mockReturnValue();
    });
    afterEach(() => void vi.restoreAllMocks());

    for (const { because, ask: line, content, authorization, status, answer, fields = {} } of questions) {
      it(`answers ${line} with ${status}: ${because}`, async () => {
        const [method, path] = line.split(" ") as [string, string];
        const length = content === undefined ? {} : { "content-length": Buffer.byteLength(content) };
        const headers = { ...(authorization && { authorization }), ...length };
        const got = await ask(await started(application), { method, path, headers }, content);
        expect(got.status).toBe(status);
        expect(got.headers).toMatchObject(fields);
        if (answer !== undefined) expect(typeof answer === "string" ? got.text : JSON.parse(got.text)).toEqual(answer);
      });
    }

    it("keeps what it was sent", async () => {
      const server = await started(application);
      await ask(server, { method: "POST", path: "/books" }, JSON.stringify(emma));
      await ask(server, { method: "DELETE", path: "/books/1" });
      await ask(server, { method: "PUT", path: "/emma/end.txt" }, "They marry.");
      expect(JSON.parse((await ask(server, { path: "/books" })).text)).toEqual([darkness, wizard, { id: 4, ...emma }]);
      expect((await ask(server, { path: "/emma/end.txt" })).text).toBe("They marry.");
    });
  });
}

describe("quickstart by the semantics chain", () => {
  beforeEach(() => readingList.reset());

  const sent = { "content-type": "application/json" };
  const declared: readonly (Omit<Question, "answer"> & { readonly answer?: unknown; readonly sends?: object })[] = [
    { because: "a list", ask: "GET /books?title=wiz", status: 200, answer: [wizard] },
    {
      because: "a method that is not there",
      ask: "PATCH /books",
      status: 405,
      fields: { allow: "GET, HEAD, OPTIONS, POST" },
    },
    { because: "HEAD by GET", ask: "HEAD /books", status: 200, answer: "" },
    { because: "an item", ask: "GET /books/2", status: 200, answer: darkness },
    {
      because: "unknown id",
      ask: "GET /books/99",
      status: 404,
      answer: problemOf(404, "Not Found", "There is no book 99"),
    },
    { because: "an id that is not a number", ask: "GET /books/one", status: 404 },
    {
      because: "created",
      ask: "POST /books",
      sends: sent,
      content: JSON.stringify(emma),
      status: 201,
      answer: { id: 4, ...emma },
      fields: { location: "/books/4" },
    },
    { because: "not a book", ask: "POST /books", sends: sent, content: "{}", status: 422, fields: problem },
    { because: "not JSON", ask: "POST /books", sends: sent, content: "{", status: 400, fields: problem },
    { because: "no precondition", ask: "PUT /books/1", sends: sent, content: JSON.stringify(emma), status: 428 },
    {
      because: "another version",
      ask: "PUT /books/1",
      sends: { ...sent, "if-match": '"no"' },
      content: JSON.stringify(emma),
      status: 412,
    },
    { because: "deleted", ask: "DELETE /books/1", status: 204, answer: "" },
    {
      because: "found by ISBN",
      ask: "GET /isbn/9780441478125",
      status: 303,
      answer: "",
      fields: { location: "/books/2" },
    },
    { because: "guard, without a password", ask: "GET /admin/statistics", status: 401 },
    {
      because: "guard, with it",
      ask: "GET /admin/statistics",
      sends: { authorization: password },
      status: 200,
      answer: { books: 3 },
    },
    {
      because: "the page of the document",
      ask: "GET /docs",
      status: 200,
      fields: { "content-type": "text/html; charset=utf-8" },
    },
  ];
  for (const { because, ask: line, sends = {}, content, status, answer, fields = {} } of declared) {
    it(`answers ${line} with ${status}: ${because}`, async () => {
      const [method, path] = line.split(" ") as [string, string];
      const length = content === undefined ? {} : { "content-length": Buffer.byteLength(content) };
      const got = await ask(await started(semantics), { method, path, headers: { ...sends, ...length } }, content);
      expect(got.status).toBe(status);
      expect(got.headers).toMatchObject(fields);
      if (answer !== undefined) expect(typeof answer === "string" ? got.text : JSON.parse(got.text)).toEqual(answer);
    });
  }

  it("replaces the version that the client has seen, and answers 304 for it", async () => {
    const server = await started(semantics);
    const { etag } = (await ask(server, { path: "/books/1" })).headers as { etag: string };
    expect((await ask(server, { path: "/books/1", headers: { "if-none-match": etag } })).status).toBe(304);
    const content = JSON.stringify(emma);
    const headers = { ...sent, "if-match": etag, "content-length": Buffer.byteLength(content) };
    expect((await ask(server, { method: "PUT", path: "/books/1", headers }, content)).status).toBe(200);
    expect((await ask(server, { path: "/books/1", headers: { "if-none-match": etag } })).status).toBe(200);
  });

  it("lists books as CSV", async () => {
    const { text, headers } = await ask(await started(semantics), { path: "/books", headers: { accept: "text/csv" } });
    expect(headers["content-type"]).toMatch(/^text\/csv/);
    expect(text.split("\r\n")[0]).toBe('"Kindred","Octavia Butler"');
  });
});

describe("quickstart", () => {
  beforeEach(() => void vi.resetModules());
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });

  it("prints addresses that answer and five things to try, and stops when told to", async () => {
    vi.stubEnv("PORT", "0");
    const print = vi.spyOn(console, "log").mockReturnValue();
    await import("./main.ts");
    const greeting = String(print.mock.calls[0]?.[0]);
    const addresses = greeting.match(/^ {2}http:\S+/gm)!.map((line) => line.trim());
    expect(addresses).toHaveLength(3);
    expect(greeting.match(/^ {2}curl /gm)).toHaveLength(5);
    for (const address of addresses) expect((await fetch(`${address}/books/2`)).status).toBe(200);

    (process.listeners("SIGTERM").at(-1) as () => void)();
    for (const address of addresses) await expect(fetch(address)).rejects.toThrow("fetch failed");
  });

  it("says what is wrong with PORT", async () => {
    vi.stubEnv("PORT", "http");
    const complain = vi.spyOn(console, "error").mockReturnValue();
    await import("./main.ts");
    expect(complain.mock.calls).toEqual([['Cannot listen: expected PORT to be a number below 65534, got "http"']]);
    expect(process.exitCode).toBe(1);
    process.exitCode = undefined;
  });
});
