import { describe, expect, it, onTestFinished, vi } from "vitest";
import { quiet, withQuietContent } from "./quiet-content.ts";
import { SharedContent } from "./shared-content.ts";

const reads = ["arrayBuffer", "blob", "bytes", "formData", "json", "text"].filter((name) => name in Request.prototype);

/** A request whose content fails. */
function failing(): Request {
  const body = new ReadableStream({ start: (controller) => controller.error(new Error("The client has left")) });
  return new Request("http://h/", { method: "POST", body, duplex: "half" } as RequestInit);
}

function unhandled(): ReturnType<typeof vi.fn> {
  const heard = vi.fn<() => void>();
  process.on("unhandledRejection", heard);
  onTestFinished(() => void process.off("unhandledRejection", heard));
  return heard;
}

const read = (request: Request, name: string): unknown =>
  (request as unknown as Record<string, () => unknown>)[name]!();
const turn = (): Promise<void> => new Promise((done) => setImmediate(done));

describe("quiet()", () => {
  it("has a Promise reject for who waits for it, and nobody else", async () => {
    const heard = unhandled();
    const content = quiet(Promise.reject(new Error("late")));
    await turn();
    expect(heard).not.toHaveBeenCalled();
    await expect(content).rejects.toThrow("late");
  });

  it("returns anything else as it is", () => {
    const values = [undefined, null, "content", { then: 5 }];
    expect(values.map((value) => quiet(value))).toEqual(values);
  });
});

describe("withQuietContent()", () => {
  it.each(reads)("C6.3 leaves no rejection of %s() to nobody, of a clone neither", async (name) => {
    const heard = unhandled();
    const request = withQuietContent(failing());
    const clone = request.clone();
    const contents = [request, clone, withQuietContent(failing()).clone().clone()].map((one) => read(one, name));
    await turn();
    expect(heard).not.toHaveBeenCalled();
    for (const content of contents) await expect(content).rejects.toThrow();
  });

  it("returns content, in a Request of the platform's own class", async () => {
    const requestOf = (): Request => withQuietContent(new Request("http://h/", { method: "POST", body: '{"a":1}' }));
    expect(Object.getPrototypeOf(requestOf())).toBe(Request.prototype);
    expect(Object.getPrototypeOf(requestOf().clone())).toBe(Request.prototype);
    expect(await requestOf().json()).toEqual({ a: 1 });
    expect(await requestOf().clone().text()).toBe('{"a":1}');
    expect(Object.keys(requestOf())).toEqual(Object.keys(new Request("http://h/")));
  });

  it("has a clone share content that can be shared, so that neither waits for the other", async () => {
    const content: SharedContent = new SharedContent({
      pull() {
        content.push(new TextEncoder().encode("content"));
        content.close();
      },
      cancel: () => {},
    });
    const init = { method: "POST", body: content.open(), duplex: "half" } as RequestInit;
    const request = withQuietContent(new Request("http://h/", init));
    await request.clone().clone().body!.cancel();
    expect(await request.clone().text()).toBe("content");
    expect(await request.text()).toBe("content");
    expect(() => request.clone()).toThrow(TypeError);
  });

  it("lets its methods be replaced, as other requests do", async () => {
    const request = withQuietContent(failing());
    request.text = async () => "replaced";
    expect(await request.text()).toBe("replaced");
    expect(Reflect.deleteProperty(request, "text")).toBe(true);
  });

  it("has no method that the platform has not", () => {
    const names = Object.getOwnPropertyNames(withQuietContent(failing()));
    expect(names.toSorted()).toEqual([...reads, "clone"].toSorted());
  });

  it("takes a method away from no class, and adds none to one that lacks it", () => {
    class Older extends Request {}
    Object.defineProperty(Older.prototype, "bytes", { value: undefined });
    const names = Object.getOwnPropertyNames(withQuietContent(new Older("http://h/")));
    expect(names.toSorted()).toEqual([...reads, "clone"].filter((name) => name !== "bytes").toSorted());
  });
});
