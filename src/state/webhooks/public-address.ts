import { parseIpAddress } from "../../fields/ip-address.ts";
import { hostOf } from "../../hosts/known-hosts.ts";
import { builtinModule, type ModuleHost } from "../../http/javascript/builtin-module.ts";

export type Lookup = (name: string) => Promise<readonly string[]>;

interface NodeDns {
  readonly promises: {
    lookup(name: string, options: { readonly all: true }): Promise<readonly { readonly address: string }[]>;
  };
}

/** Returns how a runtime finds addresses. Null where it cannot, as on Workers. */
export function lookupBy(host: ModuleHost): Lookup | null {
  if (hostOf(host).isIsolate === true) return null;
  const dns = builtinModule("node:dns", host) as NodeDns | undefined;
  if (dns === undefined) return null;
  return async (name) => (await dns.promises.lookup(name, { all: true })).map(({ address }) => address);
}

/**
 * Returns what a host of a URL is that is not on the public network: an address, or a name that is always private. Null
 * for other hosts.
 * @param lookup finds the addresses of a name. Null if names are not resolved.
 */
export async function privateHostOf(host: string, lookup: Lookup | null): Promise<string | null> {
  const name = host.replace(/^\[|\]$/g, "").replace(/(?<!\.)\.+$/, "");
  const address = parseIpAddress(name);
  if (address !== null) return isPublic(address) ? null : name;
  // A name of one label is found where the network of this machine looks for it.
  if (!name.includes(".") || privateNames.test(name)) return name;
  // The name is looked up as `fetch()` will do it: with a full stop at its end, no domain of this network is added.
  const found = lookup === null ? [] : await lookup(host);
  return found.find((one) => !isPublicText(one)) ?? null;
}

// RFC 6761 §6.3, RFC 6762 §3 and appendix G, RFC 8375; and what systems and clusters add.
const privateNames = /\.(?:localhost|localdomain|local|internal|intranet|private|corp|home|lan|svc|home\.arpa)$/;

function isPublicText(text: string): boolean {
  const address = parseIpAddress(text);
  return address !== null && isPublic(address);
}

/** Returns whether an address is on the public network, by the registries of IANA for special addresses. */
function isPublic(address: Uint8Array): boolean {
  if (address.length === 4) return !specialIpv4.some((one) => isIn(address, one));
  // RFC 6052 §2.1: a translator leads to the IPv4 address in it.
  if (isIn(address, translated)) return isPublic(address.slice(12));
  return isIn(address, globalUnicast) && !specialIpv6.some((one) => isIn(address, one));
}

type Network = readonly [address: Uint8Array, bits: number];

function isIn(address: Uint8Array, [network, bits]: Network): boolean {
  return network.every((octet, at) => {
    const mask = 0xff & (0xff << (8 - Math.min(8, Math.max(0, bits - 8 * at))));
    return (address[at]! & mask) === (octet & mask);
  });
}

function networkOf(text: string): Network {
  const [address, bits] = text.split("/") as [string, string];
  return [parseIpAddress(address)!, Number(bits)];
}

// https://www.iana.org/assignments/iana-ipv4-special-registry, multicast, and the host of virtual machines of Azure.
const specialIpv4 = (
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 " +
  "168.63.129.16/32 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4"
)
  .split(" ")
  .map(networkOf);

const globalUnicast = networkOf("2000::/3");

const translated = networkOf("64:ff9b::/96");

// https://www.iana.org/assignments/iana-ipv6-special-registry: those below 2000::/3. 6to4 and Teredo hold IPv4
// addresses.
const specialIpv6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"].map(networkOf);
