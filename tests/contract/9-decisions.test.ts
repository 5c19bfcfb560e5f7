import { describe, expect, it } from "vitest";
import { carriers, declarations, tenMethods, type Decision } from "../cases/decision.ts";
import { decisionsApplication } from "../cases/decisions-application.ts";
import { decisions } from "../cases/decisions.ts";
import { departureOf } from "../support/decided.ts";

const app = decisionsApplication();

/** The request of a row; null where this runtime's `Request` cannot carry it: then it is asked over sockets only. */
function requestOf({ method, target, headers, content }: Decision): Request | null {
  // Content of GET and the like: some runtimes refuse it, others let a handler read it, and servers leave it out.
  if (content !== null && !(carriers as readonly string[]).includes(method)) return null;
  try {
    const body = content === null ? {} : { body: content };
    const request = new Request(`http://localhost${target}`, { method, headers, ...body });
    // Where no type is sent, none is made up.
    if (content !== null && headers["content-type"] === undefined) request.headers.delete("content-type");
    return request.method === method ? request : null;
  } catch {
    return null;
  }
}

describe("the decision table", () => {
  it("C9.7 has at least 400 rows, each with a section as its reason", () => {
    expect(decisions.length).toBeGreaterThanOrEqual(400);
    expect(decisions.filter(({ because }) => !/\bRFC \d{4,5} §\d/.test(because))).toEqual([]);
    const asked = decisions.map(({ method, target, headers, content }) =>
      JSON.stringify([method, target, headers, content]),
    );
    expect(asked.filter((row, at) => asked.indexOf(row) !== at)).toEqual([]);
  });

  it("C9.7 has a row for each method and each kind of declaration", () => {
    const has = new Set(decisions.map(({ method, declaration }) => `${method} ${declaration}`));
    const wanted = tenMethods.flatMap((method) => declarations.map((declaration) => `${method} ${declaration}`));
    expect(wanted.filter((pair) => !has.has(pair))).toEqual([]);
  });

  const groups = declarations.flatMap((declaration) =>
    [...new Set(decisions.filter((row) => row.declaration === declaration).map(({ method }) => method))].map(
      (method) => [declaration, method] as const,
    ),
  );

  it.each(groups)("C9.7 decides by what is declared: %s, %s", async (declaration, method) => {
    const departures: (string | null)[] = [];
    for (const row of decisions) {
      if (row.declaration !== declaration || row.method !== method) continue;
      const request = requestOf(row);
      if (request === null) continue;
      const response = await app.fetch(request);
      const { status, headers } = response;
      // Of a refusal of HEAD the server leaves the content out, and not `fetch`.
      const text = method === "HEAD" && status >= 400 ? null : await response.text();
      departures.push(departureOf(row, { status, field: (name) => headers.get(name), text }));
    }
    expect(departures.filter((one) => one !== null)).toEqual([]);
  });

  it("C9.7 is asked of this runtime for all but what its Request cannot carry", () => {
    const left = decisions.filter((row) => requestOf(row) === null);
    const isCarried = ({ method, content }: Decision): boolean =>
      (content === null && /^(?:GET|HEAD)$/.test(method)) || /^(?:DELETE|OPTIONS|PATCH|POST|PUT)$/.test(method);
    expect(left.filter(isCarried)).toEqual([]);
    expect(decisions.length - left.length).toBeGreaterThanOrEqual(400);
  });
});
