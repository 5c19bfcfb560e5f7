import { Application, Middleware, Resource, ResourceGroup } from "fingerpost/modules/http.polyfill.js";
import { describe, expect, it } from "vitest";
import { Attribute } from "./attribute.ts";

describe("Attribute", () => {
  it("belongs to the input that came in, whichever replacement is asked, in applications within it, too", async () => {
    const user = new Attribute<string>("user");
    const seen: unknown[] = [];
    class Replacing extends Middleware {
      override ALL(input: object): unknown {
        const replacement = { ...input };
        seen.push(user.find(replacement));
        const result = this.next(input, replacement);
        seen.push(user.get(input), user.get(replacement));
        return result;
      }
    }
    class Naming extends Replacing {
      override ALL(input: object): unknown {
        user.set(input, "Ada");
        return super.ALL(input);
      }
    }
    class Inner extends Resource {
      override paths = ["/x"];
      override GET(input: object): unknown {
        seen.push(user.get(input));
        user.set(input, "Bo");
        return true;
      }
    }
    const group = ResourceGroup.builder().resources(Inner).middleware(Replacing, Replacing).build();
    const inner = Application.builder().resources(group).build();
    class Outer extends Resource {
      override paths = ["/x"];
      override GET = (input: object): unknown => inner.handle(input);
    }
    const input = { url: "/x", method: "GET" };
    const outer = ResourceGroup.builder().resources(Outer).middleware(Naming, Replacing).build();
    await Application.builder().resources(outer).build().handle(input);
    expect(seen).toEqual([
      ...[undefined, undefined, undefined, undefined],
      "Ada",
      ...Array.from({ length: 8 }, () => "Bo"),
    ]);
    expect(user.get(input)).toBe("Bo");
  });

  it("keeps what was set for a replacement before that was passed on", () => {
    const user = new Attribute<string>("user");
    class Setting extends Middleware {
      override ALL(input: object): unknown {
        const replacement = { ...input };
        user.set(replacement, "Ada");
        return this.next(input, replacement);
      }
    }
    class Item extends Resource {
      override paths = ["/x"];
      override GET = (input: object): unknown => user.get(input);
    }
    const app = Application.builder().resources(Item).middleware(Setting).build();
    return expect(app.handle({ url: "/x", method: "GET" })).resolves.toBe("Ada");
  });

  it("C5.6 is missed by a clear message even where JavaScript named it by nothing", () => {
    expect(() => new Attribute(undefined as never).get({})).toThrow('Cannot get attribute "undefined": it was not set');
  });

  it("is named in the message, cut at 80 characters", () => {
    const name = "n".repeat(100);
    expect(new Attribute(name).name).toBe(name);
    expect(() => new Attribute(name).get({})).toThrow(
      new Error(
        `Cannot get attribute "${"n".repeat(80)}": it was not set for this input; use find() where it may be absent`,
      ),
    );
  });

  it("says what it expects in place of an input", () => {
    const user = new Attribute<string>("user");
    for (const use of [user.get.bind(user), user.find.bind(user), (input: object) => user.set(input, "Ada")]) {
      for (const [input, name] of [
        [undefined, "undefined"],
        [null, "null"],
        [5, "5"],
      ] as const) {
        expect(() => use(input as never)).toThrow(
          new TypeError(`Cannot get attribute "user": expected what the handler was called with, got ${name}`),
        );
      }
    }
  });
});
