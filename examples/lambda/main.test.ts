import { describe, expect, it } from "vitest";

interface Result {
  readonly statusCode: number;
  readonly body: string;
}

// The examples are JavaScript, of which the compiler knows nothing.
const { handler } = (await import("./main.js" as string)) as { handler(event: object): Promise<Result> };

function eventOf(method: string, path: string, content: object): object {
  const requestContext = { domainName: "lambda.example", http: { method, path } };
  return { version: "2.0", rawPath: path, rawQueryString: "", headers: {}, ...content, requestContext };
}

const textOf = ({ body }: Result): string => Buffer.from(body, "base64").toString();

describe("handler()", () => {
  it.each([{ body: "" }, { body: "content" }, { body: "Y29udGVudA==", isBase64Encoded: true }, {}])(
    "answers GET and HEAD whose event has the content %j, which a Request of theirs cannot hold",
    async (content) => {
      const got = await handler(eventOf("GET", "/hello/Ada", content));
      expect([got.statusCode, textOf(got)]).toEqual([200, "Hello, Ada\n"]);
      expect((await handler(eventOf("HEAD", "/nowhere", content))).statusCode).toBe(404);
    },
  );

  it("takes no character of a decoded path for a query, a fragment or an escape", async () => {
    for (const name of ["a?b=c", "a#b", "100%", "%zz"]) {
      const got = await handler(eventOf("GET", `/hello/${name}`, {}));
      expect([got.statusCode, textOf(got)]).toEqual([200, `Hello, ${name}\n`]);
    }
  });

  it("passes content on, coded or as it is", async () => {
    await handler(eventOf("POST", "/guestbook", { body: "Ada" }));
    await handler(eventOf("POST", "/guestbook", { body: "R3JhY2U=", isBase64Encoded: true }));
    expect(JSON.parse(textOf(await handler(eventOf("GET", "/guestbook", {}))))).toEqual(["Ada", "Grace"]);
  });
});
