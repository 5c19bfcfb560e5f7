import { Application, Middleware } from "fingerpost/modules/http.polyfill.js";
import { describe, expect, it } from "vitest";

const within = (Class: new () => Middleware) => Application.builder().middleware(Class).build();

describe("checkHandlers()", () => {
  it.each(["ALL", "CONNECT", "TRACE"] as const)("refuses middleware whose %s is no method", (name) => {
    class Broken extends Middleware {
      constructor() {
        super();
        Object.defineProperty(this, name, { value: null });
      }
    }
    expect(() => within(Broken)).toThrow(
      new TypeError(`Cannot add Broken as middleware: its ${name} must be a method, got null`),
    );
  });

  it("refuses middleware whose methods all have names of no handler, as a guard would let everything through", () => {
    class Lower extends Middleware {
      all(): never {
        throw new Error("closed");
      }
    }
    class Further extends Lower {}
    class Field extends Middleware {
      handle = (): unknown => "closed";
    }
    for (const [Class, name] of [
      [Lower, "all"],
      [Further, "all"],
      [Field, "handle"],
    ] as const) {
      const message = `${name}() and no handler, so that everything would pass; write ALL()`;
      expect(() => within(Class)).toThrow(new TypeError(`Cannot add ${Class.name} as middleware: it has ${message}`));
    }
    class Nothing extends Middleware {
      label = "none";
    }
    class Inherits extends Further {
      GET = (): unknown => "closed";
    }
    for (const Class of [Nothing, Inherits]) expect(() => within(Class)).not.toThrow();
  });
});
