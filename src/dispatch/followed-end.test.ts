import { describe, expect, it } from "vitest";
import { endWith, followsOf } from "./followed-end.ts";

describe("endWith()", () => {
  it("keeps what each says of a request, in order, and nothing of another", () => {
    const [one, other] = [new Request("http://localhost/"), new Request("http://localhost/")];
    const [first, second] = [() => () => {}, () => () => {}];
    endWith(one, first);
    endWith(one, second);
    expect(followsOf(one)).toEqual([first, second]);
    expect(followsOf(other)).toEqual([]);
  });
});
