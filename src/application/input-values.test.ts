import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { lightRequestOf } from "../servers/node/node-request.ts";
import { InputValues } from "./input-values.ts";

describe("InputValues", () => {
  it("keeps a value for each input and each owner, and the latest of each", () => {
    const [names, ages] = [new InputValues<string>(), new InputValues<number>()];
    for (const make of [() => lightRequest(), () => new Request("http://localhost/"), () => Object.freeze({})]) {
      const [one, other] = [make(), make()];
      expect(names.get(one)).toBeUndefined();
      names.set(one, "Ada");
      ages.set(one, 36);
      expect(names.get(one)?.value).toBe("Ada");
      expect(ages.get(one)?.value).toBe(36);
      expect(names.get(other)).toBeUndefined();
      names.set(one, "Bo");
      expect(names.get(one)?.value).toBe("Bo");
      expect(ages.get(one)?.value).toBe(36);
    }
  });

  it("uses no WeakMap for light requests, and adds no property to them", () => {
    const [values, light] = [new InputValues<string>(), lightRequest()];
    const set = vi.spyOn(WeakMap.prototype, "set");
    onTestFinished(() => set.mockRestore());
    values.set(light, "Ada");
    const ofLight = set.mock.calls.length;
    values.set({}, "Bo");
    const ofOther = set.mock.calls.length - ofLight;
    expect([ofLight, ofOther]).toEqual([0, 1]);
    expect(values.get(light)?.value).toBe("Ada");
    expect(Reflect.ownKeys(light)).toEqual([]);
  });

  it("tells a light request from what stands in for it", () => {
    const values = new InputValues<string>();
    const light = lightRequest();
    values.set(light, "Ada");
    // The usual one, which has methods and getters of the platform run on what they belong to.
    const bound = new Proxy(light, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
    for (const other of [new Proxy(light, {}), bound, Object.create(light) as Request]) {
      expect(values.get(other)).toBeUndefined();
      values.set(other, "Bo");
      expect(values.get(other)?.value).toBe("Bo");
    }
    expect(values.get(light)?.value).toBe("Ada");
  });
});

function lightRequest(): Request {
  const message = { method: "GET", rawHeaders: [] } as unknown as IncomingMessage;
  return lightRequestOf(message, {} as ServerResponse, "http://localhost/");
}
