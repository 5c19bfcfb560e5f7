import { Status, type HTTPError } from "fingerpost";
import { describe, expect, it } from "vitest";
import { OptionCheck } from "../http/javascript/option-check.ts";
import { keyOf } from "./idempotency-key.ts";
import type { RecordStore } from "./record-store.ts";
import { refusedKey } from "./refusals.ts";
import { keyedNamesOf } from "./write-names.ts";
import { checkedRules, isKept, type WriteOptions } from "./write-rules.ts";

const refusing = async (): Promise<never> => Promise.reject(new Error("not asked"));
const store: RecordStore = { find: refusing, begin: refusing, extend: refusing, finish: refusing, release: refusing };
const rulesOf = (options: object) => {
  const names = ["store", "ttlMs", "leaseMs", "docs", "storeTimeoutMs"] as const;
  return checkedRules(new OptionCheck("writes", { store, ...options } as WriteOptions, names), "Idempotency-Key");
};

describe("checkedRules()", () => {
  it("takes what a timer can wait, and a URI", () => {
    for (const leaseMs of [3, 2_147_483_647]) expect(rulesOf({ leaseMs, ttlMs: leaseMs }).leaseMs).toBe(leaseMs);
    const docs = "https://api.example/keys?a#b";
    expect(rulesOf({ docs })).toMatchObject({ ttlMs: 86_400_000, leaseMs: 60_000, docs });
  });

  it.each([
    [{ store: { ...store, release: undefined } }, 'its option "store" must be a store such as memoryRecords(), got'],
    [{ leaseMs: 2 }, 'its option "leaseMs" must be a whole number of at least 3 that a timer can wait, got 2'],
    [{ leaseMs: 3.5 }, "got 3.5"],
    [{ leaseMs: 2_147_483_648, ttlMs: 2_147_483_648 }, "got 2147483648"],
    [{ leaseMs: 60, ttlMs: 59 }, 'its option "ttlMs" must be at least "leaseMs", got 59'],
    [{ leaseMs: 60, ttlMs: 60.5 }, "got 60.5"],
    [{ docs: "" }, 'its option "docs" must be a URI, got'],
    [{ docs: "a>b" }, "must be a URI"],
    [{ docs: ">ab" }, "must be a URI"],
    [{ docs: "ab>" }, "must be a URI"],
    [{ docs: ["a"] }, "must be a URI"],
  ])("refuses %j", (options, message) => {
    expect(() => rulesOf(options)).toThrow(message);
  });
});

describe("isKept()", () => {
  it("keeps what another try would not change", () => {
    const kept = [199, 200, 408, 425, 429, 499, 500].filter((status) => isKept(status, new Headers()));
    expect(kept).toEqual([200, 499]);
    expect(isKept(200, new Headers({ "retry-after": "1" }))).toBe(false);
  });
});

describe("keyedNamesOf()", () => {
  it("tells places apart, whatever their params are called", async () => {
    // Places are remembered: each run has others.
    const run = crypto.randomUUID();
    const at = (pattern: string) => keyedNamesOf("owner", "POST", `/${run}${pattern}`, "key").then(([, name]) => name);
    const [one, same, other] = [await at("/a/:b"), await at("/a/:c"), await at("/b/:b")];
    expect([same === one, other === one]).toEqual([true, false]);
    expect(await at("/a/:b")).toBe(one);
  });
});

describe("refusedKey()", () => {
  it("links to the documentation of keys, if there is one", () => {
    const refused = (docs?: string): HTTPError => refusedKey(Status.Conflict, "taken", rulesOf({ docs }), { A: "1" });
    expect([...refused().headers]).toEqual([["a", "1"]]);
    expect(refused("https://api.example").headers.get("link")).toBe('<https://api.example>; rel="describedby"');
  });
});

describe("keyOf()", () => {
  it.each(["", ",", '"'])("says what a key is where the field is %j", (field) => {
    const request = new Request("http://localhost/", { headers: { "idempotency-key": field } });
    const message = "Idempotency-Key must be one string of 1 to 255 characters";
    expect(() => keyOf(request, false, rulesOf({}))).toThrow(message);
  });
});
