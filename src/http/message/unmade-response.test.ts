import { describe, expect, it } from "vitest";
import { UnmadeResponse } from "./unmade-response.ts";

describe("UnmadeResponse", () => {
  it("becomes a response with the fields that were added to its list", async () => {
    const unmade = new UnmadeResponse(201, ["content-type", "text/plain"], "tea");
    unmade.headers.append("X-Request-Id", "42");
    for (const line of ["a=1", "b=2"]) unmade.headers.append("Set-Cookie", line);
    const response = unmade.finished();
    expect(response).toBeInstanceOf(Response);
    expect([response.status, await response.text()]).toEqual([201, "tea"]);
    expect(response.headers.get("x-request-id")).toBe("42");
    expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  });

  it("does not change the list that it was made of", () => {
    const fields = ["content-type", "text/plain"];
    new UnmadeResponse(200, fields, null).headers.set("content-type", "text/html");
    expect(fields).toEqual(["content-type", "text/plain"]);
  });
});
