import { Middleware } from "fingerpost/modules/http.native.js";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { nativeAround, polyfillAround, requestFor } from "../../tests/middleware/around.ts";
import { reportLateError } from "./late-error.ts";

class Late extends Middleware {
  ALL(input: object) {
    reportLateError(new Error("late"), input);
    return this.next(input);
  }
}

describe("reportLateError()", () => {
  it("tells the observer of the application", async () => {
    const errors: unknown[] = [];
    const app = nativeAround(Late, undefined, (error) => void errors.push(error));
    expect((await app.fetch(requestFor())).status).toBe(200);
    expect(errors.map(String)).toEqual(["Error: late"]);
  });

  it("writes to the console where there is no observer", async () => {
    const print = vi.spyOn(console, "error").mockReturnValue();
    onTestFinished(() => print.mockRestore());
    await polyfillAround(Late, () => true).handle({ url: "/items", method: "GET" });
    expect(print.mock.calls).toMatchObject([["%s:", 'GET "/items" at "/items/:id?" of Items', new Error("late")]]);
  });
});
