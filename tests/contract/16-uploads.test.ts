import {
  Application,
  reply,
  Resource as SemanticResource,
  type Answer,
  type Call,
  type StandardSchema,
} from "fingerpost";
import { memory } from "fingerpost/files";
import { Application as NativeApplication, Resource as NativeResource } from "fingerpost/modules/http.native.js";
import { partsOf } from "fingerpost/native/content";
import { describe, expect, it } from "vitest";
import { bytesOfLatin1, formCases, formOf, latin1Forms, typeOf, type FormMember } from "../content/form-cases.ts";

interface Input {
  readonly headers: Headers;
  readonly body: ReadableStream<Uint8Array>;
}

function inputOf(type: string, ...chunks: readonly Uint8Array[]): Input {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  return { headers: new Headers({ "Content-Type": type }), body };
}

async function membersOf(input: Input): Promise<FormMember[] | number> {
  const members: FormMember[] = [];
  try {
    for await (const part of partsOf(input)) {
      const { name, fileName, claimedType: type } = part;
      const content = await part.text();
      members.push([name, fileName === undefined ? content : { fileName, type, content }]);
    }
  } catch (error) {
    return (error as { status: number }).status;
  }
  return members;
}

/** A schema that takes all. */
const anything: StandardSchema = {
  "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) },
};

class Forms extends SemanticResource {
  paths = ["/"] as const;
  static POST = { content: { "multipart/form-data": anything }, 200: anything };
  override async POST({ content }: Call<typeof Forms, "POST">): Promise<Answer<typeof Forms, "POST">> {
    const members: FormMember[] = [];
    for (const [name, value] of Object.entries(content as Record<string, unknown>)) {
      for (const one of [value].flat()) {
        members.push([
          name,
          one instanceof File ? { fileName: one.name, type: one.type, content: await one.text() } : String(one),
        ]);
      }
    }
    return reply(200, members);
  }
}
const declared = Application.builder().resources(Forms).build();

async function declaredMembersOf(type: string, body: Uint8Array<ArrayBuffer>): Promise<FormMember[] | number> {
  const response = await declared.request("/", { method: "POST", headers: { "Content-Type": type }, body });
  return response.ok ? ((await response.json()) as FormMember[]) : response.status;
}

describe("C16.2 forms as others write them, by partsOf()", () => {
  it.each(formCases)("$because", async (given) => {
    expect(await membersOf(inputOf(typeOf(given), formOf(given)))).toEqual(given.expect);
  });

  it("are read alike wherever they are cut in two", async () => {
    for (const given of formCases.filter(({ lines }) => lines.join().length < 1_000)) {
      const [type, bytes] = [typeOf(given), formOf(given)];
      for (let at = 1; at < bytes.length; at++) {
        const members = await membersOf(inputOf(type, bytes.slice(0, at), bytes.slice(at)));
        expect(members, `${given.because}, cut at ${at}`).toEqual(given.expect);
      }
    }
  });

  it("are read alike when each byte comes alone", async () => {
    for (const given of formCases) {
      const chunks = Array.from(formOf(given), (byte) => Uint8Array.of(byte));
      expect(await membersOf(inputOf(typeOf(given), ...chunks)), given.because).toEqual(given.expect);
    }
  });

  it("are 400 in Latin-1", async () => {
    for (const form of latin1Forms) {
      expect(await membersOf(inputOf("multipart/form-data; boundary=B", bytesOfLatin1(form)))).toBe(400);
    }
  });
});

// The schema takes no content at all, too. A member named __proto__ is cut from every content.
const declarable = formCases.filter(({ lines }) => lines.length > 0 && !lines.join().includes("__proto__"));

/** Bun gives a `File` of text a charset that nobody sent. */
function asSent(members: unknown): unknown {
  return JSON.parse(JSON.stringify(members).replaceAll(';charset=utf-8"', '"'));
}

describe("C16.2 forms as others write them, as declared content", () => {
  it.each(declarable)("$because", async (given) => {
    const members = await declaredMembersOf(typeOf(given), formOf(given));
    if (typeof given.expect === "number") return expect(members).toBe(given.expect);
    // What browsers send for no file is not a member. One name twice is a list.
    const isGiven = ([, value]: FormMember): boolean => typeof value === "string" || value.fileName !== "";
    expect("Bun" in globalThis ? asSent(members) : members).toEqual(given.expect.filter(isGiven));
  });

  it("are 400 in Latin-1", async () => {
    for (const form of latin1Forms) {
      expect(await declaredMembersOf("multipart/form-data; boundary=B", bytesOfLatin1(form))).toBe(400);
    }
  });

  it("C16.3 have at most 10,000 parts", async () => {
    const part = "--B\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n";
    expect(
      await declaredMembersOf("multipart/form-data; boundary=B", bytesOfLatin1(`${part.repeat(10_001)}--B--`)),
    ).toBe(413);
  });
});

describe("partsOf()", () => {
  it("reads what the platform writes as the platform does", async () => {
    const body = new FormData();
    // Workers leave a carriage return of a name as it is, in the middle of a field (RFC 9112 §2.2), and line breaks of
    // values.
    const isWorker = "WebSocketPair" in globalThis;
    const name = isWorker ? 'a"\n' : 'a"\r\n';
    body.append(name, "1\n2");
    body.append("ä", new Blob(["x"], { type: "text/css" }), 'b"/c.css');
    body.append("ä", "");
    const written = new Response(body);
    const read = await membersOf(
      inputOf(written.headers.get("Content-Type")!, new Uint8Array(await written.arrayBuffer())),
    );
    expect("Bun" in globalThis ? asSent(read) : read).toEqual([
      [name, isWorker ? "1\n2" : "1\r\n2"],
      ["ä", { fileName: "c.css", type: "text/css", content: "x" }],
      ["ä", ""],
    ]);
  });

  it("stores files of a request of the runtime, in a resource of the native module", async () => {
    class Covers extends NativeResource {
      paths = ["/covers"] as const;
      async POST(request: Request): Promise<Response> {
        const read: unknown[] = [];
        for await (const part of partsOf(request)) {
          if (part.fileName === undefined) read.push([part.name, await part.text()]);
          else {
            const { fileName, type, size, sha256, bytes } = await part.store(memory());
            read.push([part.name, fileName, type, size, sha256, bytes.length]);
          }
        }
        return Response.json(read);
      }
    }
    const app = NativeApplication.builder().resources(Covers).build();
    const body = new FormData();
    body.set("caption", "Ada");
    body.set("cover", new Blob(["abc"], { type: "text/plain" }), "ada.txt");
    const response = await app.fetch(new Request("http://localhost/covers", { method: "POST", body }));
    const sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    expect(await response.json()).toEqual([
      ["caption", "Ada"],
      ["cover", "ada.txt", "text/plain", 3, sha256, 3],
    ]);
  });

  it("answers 415 to another type, and says which one it takes", async () => {
    const parts = partsOf(new Request("http://localhost/", { method: "POST", body: "a=1" }));
    const error = await parts.next().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ status: 415, message: "Expected multipart/form-data" });
    expect((error as { headers: Headers }).headers.get("Accept")).toBe("multipart/form-data");
  });
});
