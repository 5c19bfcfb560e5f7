import { describe, expect, it } from "vitest";
import { lookupBy, privateHostOf } from "./public-address.ts";

describe("privateHostOf()", () => {
  const finds =
    (...found: string[]) =>
    async () =>
      found;

  it("returns an address that a name has, if one of them is private", async () => {
    expect(await privateHostOf("a.example", finds("93.184.216.34", "2606:4700::1"))).toBeNull();
    for (const address of ["10.0.0.1", "::1", "fe80::1%eth0", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "fd00::1"])
      expect(await privateHostOf("a.example", finds("93.184.216.34", address))).toBe(address);
    expect(await privateHostOf("a.example", finds("what?"))).toBe("what?");
    expect(await privateHostOf("a.example", null)).toBeNull();
  });

  it("asks for a name as it is written, and for none that is not public", async () => {
    const asked: string[] = [];
    const lookup = async (name: string): Promise<string[]> => {
      asked.push(name);
      return ["93.184.216.34"];
    };
    for (const host of ["a.example", "a.example.", "redis", "redis.", "a.lan"]) await privateHostOf(host, lookup);
    expect(asked).toEqual(["a.example", "a.example."]);
  });

  it("knows the ends of each network", async () => {
    const ends = [
      ["1.0.0.0", "0.255.255.255"],
      ["9.255.255.255", "10.0.0.0"],
      ["11.0.0.0", "10.255.255.255"],
      ["100.63.255.255", "100.64.0.0"],
      ["100.128.0.0", "100.127.255.255"],
      ["172.15.255.255", "172.16.0.0"],
      ["172.32.0.0", "172.31.255.255"],
      ["192.167.255.255", "192.168.0.0"],
      ["198.17.255.255", "198.18.0.0"],
      ["198.20.0.0", "198.19.255.255"],
      ["223.255.255.255", "224.0.0.0"],
      ["2000::", "1fff:ffff::"],
      ["3ffe::", "4000::"],
      ["2001:200::", "2001:1ff::"],
      ["2001:db7::", "2001:db8::"],
      ["2003::", "2002::"],
      ["3fff:1000::", "3fff:fff::"],
    ] as const;
    for (const [open, closed] of ends) {
      expect(await privateHostOf(open, null), open).toBeNull();
      expect(await privateHostOf(`[${closed}]`, null), closed).toBe(closed);
    }
  });
});

describe("lookupBy()", () => {
  it("asks the module of Node, and none on Workers and where there is none", async () => {
    const lookup = async () => [{ address: "10.0.0.1" }, { address: "::1" }];
    const process = { getBuiltinModule: () => ({ promises: { lookup } }) };
    expect(await lookupBy({ process })!("a.example")).toEqual(["10.0.0.1", "::1"]);
    expect(lookupBy({ process, ...{ WebSocketPair: {} } })).toBeNull();
    expect(lookupBy({})).toBeNull();
  });
});
