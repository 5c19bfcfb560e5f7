import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { yamlOf } from "../openapi/yaml.ts";
import { run } from "./run.ts";

const library = fileURLToPath(new URL("../../tests/cli/library.ts", import.meta.url));
const semantics = fileURLToPath(new URL("../../tests/cli/declared.ts", import.meta.url));
const faulty = fileURLToPath(new URL("../../tests/cli/faulty.ts", import.meta.url));

describe("run()", () => {
  it("lists the patterns of an application", async () => {
    const { output, code } = await run(["routes", library]);
    expect(code).toBe(0);
    expect(output).toMatchInlineSnapshot(`
      "PATTERN                              RESOURCE    METHODS  MIDDLEWARE
      /                                    Home        GET
      /:name.:ext                          Files       GET
      /admin/statistics                    Statistics  GET      Auth > Log
      /archive/:year(\\d{4})                Years       GET
      /archive/:year(\\d{4})/:month(\\d\\d)?  Years       GET
      /files/*                             Files       GET
      /users/:id                           Users       GET PUT
      /users/:id/posts                     Users       GET PUT
      /users/me/settings                   Users       GET PUT
      /v:major-:minor(\\d+)/x               Files       GET
      "
    `);
  });

  it("explains which resource answers a request, exit code 0 if one does", async () => {
    const { output, code } = await run(["explain", library, "GET", "/users/me/settings?x#y"]);
    expect(code).toBe(0);
    expect(output).toMatchInlineSnapshot(`
      "GET /users/me/settings?x#y

        path      /users/me/settings
        pattern   /users/me/settings
        resource  Users
        calls     Users.GET

        Patterns that match, best first; "-" for those that come close:

          1.  /users/me/settings  Users  the only pattern that matches
          -   /users/:id          Users  the path goes on with "/settings"
          -   /users/:id/posts    Users  "settings" does not match "posts"

        Middleware of the application is not listed, and may answer first
      "
    `);
  });

  it("says of middleware that it is around the resource, not that it is called", async () => {
    const of = async (method: string): Promise<string> =>
      (await run(["explain", library, method, "/admin/statistics"])).output;
    expect(await of("GET")).toMatchInlineSnapshot(`
      "GET /admin/statistics

        path      /admin/statistics
        pattern   /admin/statistics
        resource  Statistics
        inside    Auth > Log
        calls     Statistics.GET

        Patterns that match, best first:

          1.  /admin/statistics  Statistics  the only pattern that matches

        Middleware runs for the methods that it implements; that of the application is not listed, and may answer first
      "
    `);
    expect(await of("OPTIONS")).toMatchInlineSnapshot(`
      "OPTIONS /admin/statistics

        path      /admin/statistics
        pattern   /admin/statistics
        resource  Statistics
        inside    Auth > Log
        answer    501: Statistics does not implement OPTIONS; it implements GET

        Patterns that match, best first:

          1.  /admin/statistics  Statistics  the only pattern that matches

        Middleware runs for the methods that it implements; that of the application is not listed, and may answer first
      "
    `);
  });

  it("lists the statuses that operations declare, where their methods exist", async () => {
    const { output } = await run(["routes", semantics]);
    expect(output).toMatchInlineSnapshot(`
      "PATTERN       RESOURCE  METHODS               MIDDLEWARE
      /books        Book      GET 200 404           Log
      /books/:isbn  Book      GET 200 404, PUT 204  Log
      /kept         Kept      PUT 204
      /plain        Plain     GET
      "
    `);
  });

  it("guesses the type of content, and says so", async () => {
    const put = ["explain", semantics, "PUT", "/books/1", "--content"];
    const guessed = "guessed by the content; for another write --header";
    const given = await run([...put, '{"title":"Emma"}']);
    expect([given.code, given.output]).toEqual([
      0,
      expect.stringContaining(`type        application/json, ${guessed} "Content-Type: …"`),
    ]);
    const form = await run([...put, "title=Emma&year=1815"]);
    expect(form.output).toContain(`application/x-www-form-urlencoded, ${guessed}`);
    const { code, output } = await run([...put, "Emma", "--json"]);
    expect([code, JSON.parse(output)]).toMatchObject([1, { guessedType: "text/plain", status: 415 }]);
    const named = await run([...put, "Emma", "--header", "content-Type: application/json"]);
    expect([named.code, named.output]).toEqual([1, expect.not.stringContaining("guessed")]);
  });

  it("asks the questions of a request, exit code 1 if one refuses it", async () => {
    const put = ["explain", semantics, "PUT", "/books/1", "--header", "Content-Type: application/json"];
    const refused = await run([...put, "--content", '{"title":5}']);
    expect(refused.code).toBe(1);
    expect(refused.output.replaceAll("expected string, received number", "…")).toMatchInlineSnapshot(`
      "PUT /books/1

        path        /books/1
        pattern     /books/:isbn
        resource    Book
        param isbn  "1"
        answer      422: content #/title: Invalid input: …

        Questions, in their order:

          0.  Does a resource have the path?           yes: /books/:isbn of Book
          1.  Is the method allowed?                   yes
          5.  Is the content of a type that is taken?  yes: application/json
          9.  Does the content fit?                    no: content #/title: Invalid input: …

        The status is 422

        Patterns that match, best first; "-" for those that come close:

          1.  /books/:isbn  Book  the only pattern that matches
          -   /books        Book  the path goes on with "/1"

        No middleware runs
      "
    `);
    const unknown = await run(put);
    expect([unknown.code, unknown.output]).toEqual([1, expect.stringContaining("no: The content is not JSON")]);
    const passed = await run([...put, "--content", '{"title":"Emma"}', "--run"]);
    expect([passed.code, passed.output]).toEqual([0, expect.stringContaining("The status is 204")]);
    // C9.6: a validator that is not called may know another status.
    const kept = ["explain", semantics, "PUT", "/kept", ...put.slice(4), "--content", '{"title":5}'];
    const required = await run(kept);
    expect([required.code, required.output]).toEqual([1, expect.stringContaining("The status is 428")]);
    const sent = await run([...kept, "--header", 'If-Match: "1"']);
    expect([sent.code, sent.output]).toEqual([
      1,
      expect.stringMatching(/ answer +refused: [^]*validator\(\) decides the status/),
    ]);
    // C9.6: what cannot be decoded is refused when the path is read.
    for (const more of [[], ["--run"]]) {
      const malformed = await run(["explain", semantics, "GET", "/books/%", ...more]);
      expect([malformed.code, malformed.output]).toEqual([
        1,
        expect.stringMatching(/ 2\. .* no: [^]*The status is 400/),
      ]);
    }
    const open = await run(["explain", semantics, "GET", "/books/1"]);
    expect([open.code, open.output]).toEqual([0, expect.stringContaining("The handler decides the status")]);
  });

  it("explains HEAD and OPTIONS, and what a Request cannot be", async () => {
    const of = async (method: string, path = "/books/1"): Promise<string> =>
      (await run(["explain", semantics, method, path])).output;
    expect(await of("HEAD")).toContain("yes: GET answers it");
    expect(await of("OPTIONS")).toContain("yes: Allow is GET, HEAD, OPTIONS, PUT");
    expect(await of("PUT", "/books")).toContain("answer    405: Book allows GET, HEAD, OPTIONS");
    expect(await of("TRACE")).toContain("answer    405: Book allows GET, HEAD, OPTIONS, PUT");
    expect(await of("GET", "/plain")).toContain("yes: Plain implements GET");
    expect(await of("GET", "/nowhere")).toContain("no: No pattern matches the path");
    const { output } = await run(["explain", semantics, "HEAD", "/books/1", "--json"]);
    expect(JSON.parse(output)).toMatchObject({
      because: "Book answers HEAD by itself",
      status: null,
      middleware: ["Log"],
    });
  });

  it.each([
    [
      ["explain", library, "GET", "/", "--run"],
      "only an application of the semantics module asks questions of a request",
    ],
    [["explain", semantics, "GET", "/", "--content", "x"], "Cannot make the request: "],
    [
      ["explain", semantics, "GET", "/", "--header", "x"],
      'Cannot use --header "x": expected a name, a colon and a value',
    ],
    [["explain", semantics, "GET", "/", "--run=1"], "Cannot use --run: it takes no value"],
    [
      ["routes", semantics, "--run"],
      "Cannot use --header, --content or --run with routes: only explain asks about a request",
    ],
  ])("refuses %j", async (args, message) => {
    const { output, code } = await run(args);
    expect([code, output]).toEqual([2, expect.stringContaining(message)]);
  });

  it("explains why a request has no resource, exit code 1", async () => {
    const { output, code } = await run(["explain", library, "GET", "/users/7/likes"]);
    expect(code).toBe(1);
    expect(output).toMatchInlineSnapshot(`
      "GET /users/7/likes

        path    /users/7/likes
        answer  404: No pattern matches the path

        No pattern matches; "-" for those that come close:

          -  /users/:id          Users  the path goes on with "/likes"
          -  /users/:id/posts    Users  "likes" does not match "posts"
          -  /users/me/settings  Users  "7" does not match "me"

        Middleware of the application is not listed, and may answer first
      "
    `);
  });

  it("checks an application, exit code 0 if nothing was found", async () => {
    expect(await run(["check", library])).toEqual({ output: "Nothing found\n", code: 0 });
  });

  it("checks an application, exit code 1 if something was found", async () => {
    const { output, code } = await run(["check", faulty, "--export", "application"]);
    expect(code).toBe(1);
    expect(output).toMatchInlineSnapshot(`
      "no-paths: Hidden
        it has no paths, so that no request can reach it
      no-methods: Silent
        it implements no method, so that nothing of it is ever called; handlers are named in upper case, as in GET
      unreachable: /n/:number(\\d+) of Numbers
        it is never reached: all 53 paths that were tried are answered by /n/:word(\\w+) of Words
        such as /n/736
      unreachable: /x/(.+) of Everything
        it is never reached: all 58 paths that were tried are answered by /x/:any+ of Everything
        such as /x/YWA
      unreachable: /i/(a^b) of Impossible
        no path was found that it matches
      order: /n/:word(\\w+) of Words
        only because it was registered first does it win over /n/:number(\\d+) of Numbers
        such as /n/4
      order: /e/:either([a-f]+) of Either
        only because it was registered first does it win over /e/:or([d-k]+) of Or
        such as /e/d
      backtracking: /slow/:name((a+)+) of Slow
        an expression takes more than linear time: exponential
        such as 'a' + 'a'.repeat(31) + '\\x00'
      backtracking: /(.+)/middle/(.+)/(.+) of Slow
        an expression takes more than linear time: 3rd degree polynomial
        such as 'm' + '/middle//'.repeat(936) + '//'.repeat(936) + '\\n'

      9 findings
      "
    `);
  });

  it("finds a document that cannot be made, and a tool without a description", async () => {
    const twins = fileURLToPath(new URL("../../tests/cli/twins.ts", import.meta.url));
    const { code, output } = (await run(["check", twins])) as { code: number; output: string };
    expect(code).toBe(1);
    expect(output).toContain('the schemas of Read GET 200 and of Written PUT content have the id "Book" and differ;');
    expect(output).toContain('its GET is the tool "getRead" without a description: write a summary,');
    expect(output).toContain("2 findings");
    expect(await run(["check", twins, "--ignore", "document", "--ignore", "tool"])).toMatchObject({ code: 0 });
  });

  it("leaves out findings of a kind", async () => {
    const ignored = ["backtracking", "unreachable", "no-methods", "order"].flatMap((kind) => ["--ignore", kind]);
    const { output, code } = await run(["check", faulty, "--export", "application", "--json", ...ignored]);
    expect(code).toBe(1);
    expect(JSON.parse(output)).toEqual([
      { kind: "no-paths", resource: "Hidden", pattern: null, message: expect.any(String), example: null },
    ]);
  });

  it("prints JSON", async () => {
    const routes = await run(["routes", library, "--json"]);
    expect(JSON.parse(routes.output)).toContainEqual({
      pattern: "/admin/statistics",
      resource: "Statistics",
      methods: ["GET"],
      statuses: {},
      scopes: {},
      middleware: ["Auth", "Log"],
    });
    const explained = await run(["explain", "--json", library, "PUT", "/users/%37?x"]);
    expect(JSON.parse(explained.output)).toEqual({
      method: "PUT",
      target: "/users/%37?x",
      path: "/users/7",
      matched: true,
      status: null,
      because: "Users implements PUT",
      resource: "Users",
      pattern: "/users/:id",
      params: { id: "7" },
      middleware: [],
      questions: [],
      considered: [
        { pattern: "/users/:id", resource: "Users", matches: true, because: "the only pattern that matches" },
        { pattern: "/users/:id/posts", resource: "Users", matches: false, because: 'the path ends before "posts"' },
        { pattern: "/users/me/settings", resource: "Users", matches: false, because: '"7" does not match "me"' },
      ],
    });
  });

  it("says what it can do, and its version", async () => {
    expect((await run(["--help"])).output).toMatch(/^Usage:\n  fingerpost new <name> /);
    expect(await run(["check", "-h"])).toEqual(await run(["--help"]));
    expect((await run(["--version"])).output).toMatch(/^3\.\d+\.\d+/);
  });

  it.each([
    [
      [],
      "Cannot run a command: expected new, routes, check, explain, openapi, asyncapi, client-types, mcp, mock, " +
        "tables, got none",
    ],
    [
      ["constructor"],
      "Cannot run a command: expected new, routes, check, explain, openapi, asyncapi, client-types, mcp, mock, " +
        'tables, got "constructor"',
    ],
    [["routes"], "Cannot run routes: expected one module behind it, got 0 words"],
    [["check", "a", "b"], "Cannot run check: expected one module behind it, got 2 words"],
    [["explain", "a", "GET"], "Cannot run explain: expected a module, a method and a target behind it, got 2 words"],
    [["routes", "a", "--jsno"], 'Cannot understand "--jsno": there is no such option'],
    [["-v"], 'Cannot understand "-v": there is no such option'],
    [["explain", "a", "GET", "-x"], 'Cannot understand "-x": there is no such option'],
    [["routes", "a", "--exports=b"], 'Cannot understand "--exports": there is no such option'],
    [["routes", "a", "--export"], "Cannot use --export: expected a value behind it"],
    [["routes", "a", "--export", "--json"], "Cannot use --export: expected a value behind it"],
    [["routes", "a", "--export="], "Cannot use --export: expected a value behind it"],
    [["routes", "a", "--json=yes"], "Cannot use --json: it takes no value"],
    [["routes", "a", "--ignore", "order"], "Cannot use --ignore with routes: only check has findings"],
    [["explain", "a", "GET", "/", "--ignore=order"], "Cannot use --ignore with explain: only check has findings"],
    [["routes", ""], "Cannot run routes: its module is an empty text"],
    [
      ["check", "a", "--ignore", "all"],
      'Cannot ignore "all": expected backtracking, unreachable, no-paths, no-methods, undeclared, text, document, ' +
        "tool, order, unchecked, unguarded",
    ],
  ])("exits with 2 and says what is wrong with %j", async (args, message) => {
    const { output, code } = await run(args);
    expect(code).toBe(2);
    expect(output).toContain(message);
    expect(output).toContain("Usage:");
  });

  it.each([
    [faulty, [], "expected one application, got application, other; choose by --export"],
    [faulty, ["--export", "nothing"], 'expected "nothing" to be an application, got undefined'],
    [fileURLToPath(import.meta.url.replace("run.test", "text-table")), [], "expected an export that is an application"],
  ])("exits with 2 if %s %j exports no application", async (module, options, message) => {
    const { output, code } = await run(["routes", module, ...options]);
    expect(code).toBe(2);
    expect(output).toBe(`Cannot use ${module}: ${output.slice(`Cannot use ${module}: `.length)}`);
    expect(output).toContain(message);
  });

  it("takes values of options after an equals sign too", async () => {
    const args = ["check", faulty, "--export=application", "--ignore=backtracking", "--ignore", "unreachable"];
    const { output, code } = await run([...args, "--ignore=order", "--ignore=no-methods", "--json"]);
    expect(code).toBe(1);
    expect(JSON.parse(output)).toMatchObject([{ kind: "no-paths" }]);
  });

  it("takes a file URL for a module", async () => {
    expect((await run(["routes", pathToFileURL(library).href])).output).toBe((await run(["routes", library])).output);
  });

  it.each([
    [".", "it is a directory; name the file that exports the application"],
    ["file:///no/such/file.js", "there is no such file, and no package that can be resolved from here"],
    ["file:///%2f", "there is no such file, and no package that can be resolved from here"],
    ["-", "there is no such file, and no package that can be resolved from here"],
    ["node:fs", "there is no such file, and no package that can be resolved from here"],
    ["fs", "there is no such file, and no package that can be resolved from here"],
  ])("exits with 2 if the module is %s, and says why", async (module, message) => {
    expect(await run(["routes", module])).toEqual({ output: `Cannot use ${module}: ${message}\n`, code: 2 });
  });

  it("exits with 2 if the module cannot be imported, and says why", async () => {
    const { output, code } = await run(["routes", "./no-such-file.js"]);
    expect(code).toBe(2);
    expect(output).toBe(
      "Cannot use ./no-such-file.js: there is no such file, and no package that can be resolved from here\n",
    );
  });
});

describe("run() of openapi", () => {
  const declared = fileURLToPath(new URL("../../tests/openapi/described.ts", import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), "fingerpost-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const saved = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  it("C20.9 prints the messages of an application as AsyncAPI", async () => {
    const { output, code } = await run(["asyncapi", declared, "--export", "app"]);
    expect(code).toBe(0);
    const { asyncapi, channels } = JSON.parse(output) as { asyncapi: string; channels: object };
    expect([asyncapi, typeof channels]).toEqual(["3.0.0", "object"]);
  });

  it("prints the types of a client", async () => {
    const { output, code } = await run(["client-types", declared, "--export", "app"]);
    expect(code).toBe(0);
    expect(output).toMatch(/^export interface Api \{$/m);
  });

  it("C10.5 prints the document, as openapi() of the application has it", async () => {
    const { output, code } = await run(["openapi", declared, "--export", "app"]);
    expect(code).toBe(0);
    expect(JSON.parse(output)).toMatchObject({ info: { title: "Library", version: "1.0.0" }, paths: { "/books": {} } });
  });

  it("C10.5 takes name and version of the package where the application says nothing", async () => {
    const { output } = await run(["openapi", library]);
    expect(JSON.parse(output)).toMatchObject({ info: { title: "fingerpost" }, paths: { "/users/{id}": {} } });
    vi.spyOn(process, "cwd").mockReturnValue(folder);
    expect(JSON.parse((await run(["openapi", library])).output)).toMatchObject({
      info: { title: "API", version: "0.0.0" },
    });
    saved("package.json", "{}");
    expect(JSON.parse((await run(["openapi", library])).output)).toMatchObject({
      info: { title: "API", version: "0.0.0" },
    });
    vi.restoreAllMocks();
  });

  it("C22.2 prints the document of several that is asked for", async () => {
    const several = fileURLToPath(new URL("../../tests/cli/documents.ts", import.meta.url));
    const pathsOf = async (path: string): Promise<string[]> => {
      const { output } = await run(["openapi", several, "--document", path]);
      return Object.keys((JSON.parse(output) as { paths: object }).paths);
    };
    expect(await pathsOf("/all.json")).toEqual(["/hello", "/caches"]);
    expect(await pathsOf("/openapi.json")).toEqual(["/hello"]);
    expect(await run(["openapi", several])).toEqual({
      output: `Cannot describe ${several}: expected one document, got /all.json, /openapi.json; choose by --document\n`,
      code: 2,
    });
    expect(await run(["openapi", several, "--document=/docs"])).toEqual({
      output: `Cannot describe ${several}: it has no document at /docs; there are /all.json, /openapi.json\n`,
      code: 2,
    });
    expect(await run(["openapi", library, "--document", "/openapi.json"])).toEqual({
      output: `Cannot describe ${library}: it has no document at /openapi.json; add openapi({ title, version })\n`,
      code: 2,
    });
    expect((await run(["routes", library, "--document", "/openapi.json"])).output).toContain(
      "Cannot use --document with routes: only openapi prints a document",
    );
  });

  it("C21.1 lists no tools where no operation is one", async () => {
    expect(await run(["mcp", declared, "--export", "app"])).toEqual({
      output: 'No operation is a tool; write tool: { name: "…" } in its declaration\n',
      code: 0,
    });
    expect(await run(["mcp", library, "--json"])).toEqual({ output: "[]\n", code: 0 });
  });

  it("C22.4 serves a mock of the application", async () => {
    const { output, code, stop } = await run(["mock", declared, "--export", "app", "--port", "0", "--seed=2"]);
    onTestFinished(() => stop!());
    expect(code).toBe(0);
    const [, url] = /^Mocked at (http:\/\/localhost:\d+)\n$/.exec(output)!;
    const response = await fetch(`${url}/openapi.json`);
    expect(await response.json()).toMatchObject({ info: { title: "Library" } });
    const refused = async (...args: readonly string[]): Promise<string> => {
      const outcome = await run(args);
      expect(outcome.code).toBe(2);
      return outcome.output;
    };
    expect(await refused("mock", library)).toMatch(
      /^Cannot use .*library\.ts: Cannot mock the application: expected one/,
    );
    expect(await refused("mock", declared, "--port", "x")).toMatch(
      /^Cannot use --port: expected a number from 0 to 65535 behind it, got "x"\n/,
    );
    expect(await refused("mock", declared, "--guards=1")).toMatch(/^Cannot use --guards: it takes no value\n/);
    expect(await refused("routes", declared, "--guards")).toMatch(
      /^Cannot use --port, --seed or --guards with routes: only mock serves\n/,
    );
  });

  it("C22.1 says what differences from an older document break, exit code 1 only for these", async () => {
    const { output: text } = await run(["openapi", library]);
    const against = (file: string, ...more: string[]): ReturnType<typeof run> =>
      run(["openapi", library, "--against", file, ...more]);
    expect(await against(saved("equal.json", text))).toEqual({ output: "The documents say the same\n", code: 0 });
    const changed = JSON.parse(text) as { info: { title: string }; paths: Record<string, object> };
    const { "/users/{id}": user } = changed.paths;
    delete changed.paths["/users/{id}"];
    const added = await against(saved("less.json", JSON.stringify(changed)));
    expect(added.output).toContain("Compatible:\n  GET /users/{id}: is new (callers)\n");
    expect(added.code).toBe(0);
    changed.paths["/gone/{id}"] = user!;
    const gone = saved("more.json", JSON.stringify(changed));
    const broken = await against(gone);
    expect(broken.output).toMatch(/^Breaking:\n {2}GET \/gone\/\{id\}: is gone \(callers\)\n/);
    expect(broken.output).toMatch(/\n\d+ breaking, 0 unclear, \d+ compatible\n$/);
    expect(broken.code).toBe(1);
    expect((await against(gone, "--format", "markdown")).output).toContain("| GET /gone/{id} |  | is gone | callers |");
    const rows = JSON.parse((await against(gone, "--json")).output) as object[];
    expect(rows).toContainEqual({
      verdict: "breaking",
      for: "callers",
      operation: "GET /gone/{id}",
      place: "",
      what: "is gone",
    });
    expect(await against(gone, "--format=json")).toEqual({ output: `${JSON.stringify(rows, null, 2)}\n`, code: 1 });
    const sunset = Object.fromEntries(
      Object.keys(user!).map((method) => [method, { responses: {}, "x-sunset": "2027-01-31" }]),
    );
    const old = saved("sunset.json", text.replace(/"paths": \{/, `"paths": { "/old": ${JSON.stringify(sunset)},`));
    expect((await against(old, "--date", "2027-01-30")).code).toBe(1);
    expect((await against(old, "--date", "2027-01-31")).code).toBe(0);
    expect(await against(saved("equal.yaml", yamlOf(JSON.parse(text))))).toMatchObject({ code: 0 });
    const yaml = saved("other.yaml", "openapi: 3.1.1");
    expect(await against(yaml)).toEqual({
      output: `Cannot judge the differences from ${yaml}: it is YAML; print the document as JSON, or add --any\n`,
      code: 2,
    });
  });

  it("C22.1 shows no character of a document that steers a terminal", async () => {
    const name = "\u001b]0;x\u0007\u009b2J\u202e";
    const schema = { type: "object", properties: { [name]: { title: name, enum: [name] } } };
    const content = { "application/json": { schema } };
    const parameters = [{ name, in: "query", required: true, schema: {} }];
    const paths = { [`/a${name}`]: { get: { parameters, responses: { 200: { description: name, content } } } } };
    const file = saved("steering.json", JSON.stringify({ openapi: "3.1.1", info: { title: name }, paths }));
    for (const more of [[], ["--format", "markdown"], ["--json"], ["--any"], ["--any", "--json"]]) {
      const { output, code } = await run(["openapi", library, "--against", file, ...more]);
      expect(code).toBe(1);
      expect(output).toContain("\\u001b");
      expect(output).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
      if (more.at(-1) === "--json") expect(JSON.stringify(JSON.parse(output))).toContain("\u009b");
    }
    const throwing = saved("steering.mjs", `throw new Error(${JSON.stringify(name)});`);
    for (const command of [["routes", throwing], ["explain", library, "GET", `/${name}`], ["routes", name], [name]]) {
      expect((await run(command)).output).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    }
  });

  it("C22.1 refuses options of comparisons that are not ones", async () => {
    for (const [args, message] of [
      [["--any"], "Cannot use --any, --format or --date without --against: only differences have them"],
      [["--against", "x", "--format", "xml"], 'Cannot use --format "xml": expected text, json or markdown'],
      [["--against", "x", "--date", "2027-13-01"], 'Cannot use --date "2027-13-01": expected a day such as 2027-01-31'],
      [["--against", "x", "--date", "soon"], 'Cannot use --date "soon": expected a day such as 2027-01-31'],
      [["--against", "x", "--any=1"], "Cannot use --any: it takes no value"],
    ] as const) {
      const { output, code } = await run(["openapi", library, ...args]);
      expect([output.split("\n")[0], code]).toEqual([message, 2]);
    }
  });

  it("C10.5 compares all of it with a file, exit code 1 where it differs", async () => {
    const { output: text } = await run(["openapi", library]);
    const against = (file: string): ReturnType<typeof run> => run(["openapi", library, "--against", file, "--any"]);
    expect(await against(saved("same.json", text))).toEqual({ output: "The document is the same\n", code: 0 });
    const changed = JSON.parse(text) as { info: { title: string }; paths: Record<string, unknown>; tags: unknown };
    changed.info.title = "Other";
    delete changed.paths["/users/{id}"];
    expect(await against(saved("other.json", JSON.stringify(changed)))).toEqual({
      output: "The document differs:\n  #/info/title\n  #/paths/~1users~1{id}\n2 differences\n",
      code: 1,
    });
    changed.info.title = "fingerpost";
    expect((await against(saved("one.json", JSON.stringify(changed)))).output).toContain("\n1 difference\n");
    changed.tags = {};
    expect((await against(saved("kind.json", JSON.stringify(changed)))).output).toContain("  #/tags\n");
    expect((await run(["openapi", library, "--against", join(folder, "other.json"), "--any", "--json"])).output).toBe(
      '[\n  "#/info/title",\n  "#/paths/~1users~1{id}"\n]\n',
    );
    expect(await against(saved("same.yaml", yamlOf(JSON.parse(text))))).toMatchObject({ code: 0 });
    expect(await against(saved("other.yml", "openapi: 3.1.1"))).toMatchObject({ code: 1 });
  });

  it("says what it cannot compare with, or describe", async () => {
    for (const file of [join(folder, "none.json"), saved("broken.json", "{")]) {
      const { output, code } = await run(["openapi", library, "--against", file]);
      expect(code).toBe(2);
      expect(output).toContain(`Cannot compare with ${file}: `);
    }
    const page = '"openapi": "3.1.1", "info": {}';
    for (const [text, got] of [
      ["", "it is empty"],
      [" \n", "it is empty"],
      ["<!doctype html>\u001b[2J", ""],
      ["null", "null"],
      ["[]", "an array"],
      ['"openapi"', "a string"],
      ["401", "a number"],
      ["{}", "an empty object"],
      ['{"type":"about:blank","title":"Unauthorized","status":401}', 'an object with "type", "title", "status"'],
      ['{"swagger":"2.0","paths":{}}', 'an object with "swagger", "paths"'],
      ['{"openapi":3}', "openapi: 3"],
      ['{"openapi":"2.0","paths":{}}', 'openapi: "2.0"'],
      [`{${page}}`, "one without paths"],
      [`{${page},"paths":"x"}`, '"paths": a string'],
      [`{${page},"paths":[]}`, '"paths": an array'],
      [`{${page},"paths":null}`, '"paths": null'],
      [`{${page},"paths":{"/a":null}}`, '"/a": null'],
      [`{${page},"paths":{"/a":{"get":"x"}}}`, '"get of /a": a string'],
      [`{${page},"webhooks":{"a":{"post":[]}}}`, '"post of a": an array'],
      [`{${page},"components":1}`, '"components": a number'],
    ] as const) {
      const file = saved("refused.json", text);
      for (const more of [[], ["--any"], ["--format", "json"]]) {
        const { output, code } = await run(["openapi", library, "--against", file, ...more]);
        expect([text, code]).toEqual([text, 2]);
        expect(output).toContain(`Cannot compare with ${file}: `);
        expect(output).toContain(got);
        expect(output).not.toContain("\u001b");
      }
    }
    const extended = saved("extended.json", `{${page},"paths":{"x-owner":"us"}}`);
    expect((await run(["openapi", library, "--against", extended])).code).toBe(0);
    const wrong = await run(["routes", library, "--against", "x"]);
    expect(wrong.output).toContain("Cannot use --against with routes: only openapi compares");
    const old = saved("old.mjs", "export const app = { resources: [], match() {} };");
    expect(await run(["openapi", old])).toEqual({
      output: `Cannot use ${old}: its application cannot be described; update its package\n`,
      code: 2,
    });
    expect(await run(["client-types", old])).toEqual({
      output: `Cannot use ${old}: its application cannot be described; update its package\n`,
      code: 2,
    });
  });

  it("C10.4 finds handlers without a declaration where others have one", async () => {
    const { output } = await run(["check", declared, "--export", "app", "--ignore", "unchecked"]);
    expect(output).toContain("undeclared: Files\n  its GET declares nothing");
    expect((await run(["check", library])).output).not.toContain("undeclared");
  });
});
