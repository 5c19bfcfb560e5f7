import { describe, expect, it } from "vitest";
import { Attribute } from "./attribute.ts";
import { originalOf, standIn } from "./stand-in.ts";

describe("Attribute", () => {
  it("belongs to the input that came in, whichever of those that stand in for it is asked", () => {
    const user = new Attribute<string>("user");
    const [first, second, third, other] = [{}, {}, {}, {}];
    standIn(second, first);
    standIn(third, second);
    user.set(second, "Ada");
    expect([first, second, third].map((input) => user.get(input))).toEqual(["Ada", "Ada", "Ada"]);
    user.set(first, "Bo");
    expect([user.get(third), user.find(third)]).toEqual(["Bo", "Bo"]);
    expect(user.find(other)).toBeUndefined();
    expect([originalOf(third), originalOf(other)]).toEqual([first, other]);
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
});
