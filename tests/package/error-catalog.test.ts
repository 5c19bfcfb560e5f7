import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Status } from "fingerpost/modules/http.native.js";
import { describe, expect, it } from "vitest";
import { refusals as ofPaths } from "../../src/dispatch/exchange.ts";
import * as constants from "../../src/http/protocol/status-constant.ts";
import { messagesBelow } from "./messages.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const script = new URL("../../scripts/build/error-pages.js", import.meta.url).href;
const { catalog, errorPages, withTables } = (await import(script)) as {
  catalog(): string[][];
  errorPages(): string[];
  withTables(page: string): { text: string; tables: string[] };
};

const messages = messagesBelow(`${root}src`);
const rows = catalog();

const entries = rows.filter((cells) => cells.length === 4);
const words = rows.filter((cells) => cells.length === 2);

/** The code spans of a cell, with `{}` for each value. */
function textsIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text!.replace(/\{[a-z]+\}/g, "{}"));
}

/** The codes of the constants that the framework refuses by. */
const codes = new Map(
  Object.entries({ ...Status, ...constants }).flatMap(([name, value]) =>
    constants.isStatus(value) ? [[name, value.status]] : [],
  ),
);

const namesOfPaths = Object.values(ofPaths).map(({ status }) => nameOf(status));

function nameOf(status: unknown): string {
  return Object.entries(constants).find(([, constant]) => constant === status)![0];
}

/** What refusal() is called with, wherever it is; where that is looked up, all that can be found. */
function refusals(): string[] {
  return (
    (readdirSync(`${root}src`, { recursive: true }) as string[])
      .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
      // Declared operations, middleware and readers of content say their statuses by themselves.
      .filter((file) => /^(?:application|dispatch|http|routing|servers)\//.test(file))
      .flatMap((file) => [
        ...readFileSync(`${root}src/${file}`, "utf8").matchAll(/(?<!function )\brefusal\(([^()]+)\)/g),
      ])
      .flatMap(([, argument]) => (argument!.includes("refus") ? [...namesOfPaths, "notImplemented"] : [argument!]))
  );
}

describe("the pages of errors", () => {
  it("show the catalog; npm run errors writes them", () => {
    for (const page of errorPages()) expect(readFileSync(`${root}${page}`, "utf8"), page).toBe(withTables(page).text);
  });

  it("have each table of the catalog once", () => {
    const shown = errorPages().flatMap((page) => withTables(page).tables);
    expect(shown.toSorted()).toEqual(readdirSync(new URL("errors/", import.meta.url)).toSorted());
  });
});

describe("the catalog of errors", () => {
  it("C7.4 lists every message of the code", () => {
    const listed = new Set(rows.flatMap(([cell]) => textsIn(cell!)));
    expect(messages.length).toBeGreaterThan(50);
    expect(messages.filter(({ text }) => !listed.has(text)).map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
  });

  it("C7.4 lists no message that the code does not have", () => {
    const written = new Set(messages.map(({ text }) => text));
    // Words of one or two are too common to be told from other texts of the code.
    const long = words.flatMap(([cell]) => textsIn(cell!)).filter((text) => text.split(" ").length > 2);
    const listed = entries.flatMap(([cell]) => textsIn(cell!));
    expect([...listed, ...long].filter((text) => !written.has(text))).toEqual([]);
  });

  it("C7.4 lists no message twice", () => {
    const listed = entries.flatMap(([cell]) => textsIn(cell!));
    expect(listed.filter((text, index) => listed.indexOf(text) !== index)).toEqual([]);
  });

  it("C7.4 gives the class that the code throws, when it does, and what to do", () => {
    const classes = new Map(entries.map(([cell, errorClass]) => [textsIn(cell!)[0], errorClass!.replaceAll("`", "")]));
    for (const { text, errorClass, file } of messages) {
      if (errorClass !== null) expect(classes.get(text), `${file}: ${text}`).toBe(errorClass);
    }
    for (const cells of entries) for (const cell of cells) expect(cell.trim(), cells[0]).not.toBe("");
  });

  it("C7.4 lists every status by which the framework refuses a request", () => {
    const refused = refusals().flatMap((argument) => [...argument.matchAll(/\w+/g)].map(([name]) => codes.get(name)));
    const listed = [
      ...readFileSync(`${root}docs/errors/requests.md`, "utf8").matchAll(/^\| (\d{3}) \| `Status\.(\w+)` \|/gm),
    ];
    expect(listed.map(([, code]) => Number(code)).toSorted()).toEqual(
      [...new Set(refused.filter((code) => code !== undefined))].toSorted(),
    );
    for (const [, code, name] of listed) expect(Status[name as "NotFound"].status).toBe(Number(code));
  });

  it("C7.4 knows the status of every refusal", () => {
    expect(refusals().length).toBeGreaterThan(4);
    expect(refusals().filter((argument) => !argument.split(/\W+/).some((name) => codes.has(name)))).toEqual([]);
  });
});

describe("the messages", () => {
  // What continues another message, behind its colon.
  const reasons =
    /^json-schema\/(?:answer\/answer-fitting|text\/text-reading)\.ts: [a-z]|^semantics\/(?:operation\/(?:reading|members|guards-model)|line\/answer-under-way)\.ts: [a-z]|^routing\/|^application\/application-builder\.ts: the|^application\/resource-declarations\.ts: paths|^http\/javascript\/described|^dispatch\/fetch-response\.ts: one |^servers\/node\/content\.ts: (?:it|the)|^fields\/(?:set-cookie|cookie-attributes)\.ts: (?!Cannot )/;
  const whole = messages.filter(({ file, text }) => !reasons.test(`${file}: ${text}`));

  it("C7.4 are in sentence case", () => {
    expect(whole.filter(({ text }) => !/^(?:[A-Z]|\{\})/.test(text))).toEqual([]);
  });

  it("C7.4 have no final period", () => {
    expect(messages.filter(({ text }) => text.endsWith("."))).toEqual([]);
  });

  it("C7.4 say what cannot be done, and then why", () => {
    // A client is told what to send instead.
    const others = new Set([null, "DOMException", "HTTPError"]);
    const thrown = whole.filter(({ errorClass }) => !others.has(errorClass));
    expect(thrown.filter(({ text }) => !/^Cannot [a-z]+ .*: /.test(text))).toEqual([]);
  });
});
