/**
 * Reads an IP address: the 4 octets of an IPv4 address, the 16 of an IPv6 address, or null when it is neither. An IPv4
 * address mapped into IPv6 (`::ffff:192.0.2.1`, RFC 4291 §2.5.5.2) is that IPv4 address: it is the same client. A zone
 * (`%eth0`, RFC 4007) is dropped. Octets with leading zeros are refused, as some read them as octal.
 */
export function parseIpAddress(text: string): Uint8Array | null {
  const octets = parseIpv4(text);
  if (octets !== null) return Uint8Array.from(octets);
  const zone = text.indexOf("%");
  const groups = parseIpv6(zone === -1 ? text : text.slice(0, zone));
  if (groups === null) return null;
  const bytes = Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 255]));
  const isMapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0);
  return isMapped ? bytes.slice(12) : bytes;
}

/** Writes an IP address in its one canonical form (RFC 5952 §4). */
export function formatIpAddress(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join(".");
  const groups = Array.from({ length: 8 }, (_, at) => (bytes[2 * at]! << 8) | bytes[2 * at + 1]!);
  let from = 0;
  let length = 1;
  for (let at = 0; at < 8; at++) {
    let zeros = 0;
    while (groups[at + zeros] === 0) zeros++;
    // RFC 5952 §4.2: the longest run of at least two, and of equal ones the first.
    if (zeros > length) [from, length] = [at, zeros];
  }
  return length === 1 ? joined(groups) : `${joined(groups.slice(0, from))}::${joined(groups.slice(from + length))}`;
}

function joined(groups: readonly number[]): string {
  return groups.map((group) => group.toString(16)).join(":");
}

/** The address of the network that an address is in, given how many bits of it are the network's: `2001:db8::/32`. */
export function networkOf(bytes: Uint8Array, prefixLength: number): Uint8Array {
  return bytes.map((byte, at) => byte & (0xff << (8 - Math.min(8, Math.max(0, prefixLength - 8 * at)))));
}

function parseIpv4(text: string): number[] | null {
  const parts = text.split(".", 5);
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part))) return null;
  const octets = parts.map(Number);
  return octets.every((octet) => octet <= 255) ? octets : null;
}

function parseIpv6(text: string): number[] | null {
  const halves = text.split("::", 3);
  if (text.length > 45 || halves.length > 2) return null;
  const [front, back] = halves.map((half, at) => groupsOf(half, at === halves.length - 1)) as [
    number[] | null,
    (number[] | null)?,
  ];
  if (front === null || back === null) return null;
  if (back === undefined) return front.length === 8 ? front : null;
  const missing = 8 - front.length - back.length;
  return missing < 1 ? null : [...front, ...Array.from({ length: missing }, () => 0), ...back];
}

/** The groups between two colons; the last may be an IPv4 address (RFC 4291 §2.2). */
function groupsOf(half: string, isLast: boolean): number[] | null {
  if (half === "") return [];
  const parts = half.split(":");
  const groups: number[] = [];
  for (const [at, part] of parts.entries()) {
    const octets = isLast && at === parts.length - 1 ? parseIpv4(part) : null;
    if (octets !== null) groups.push((octets[0]! << 8) | octets[1]!, (octets[2]! << 8) | octets[3]!);
    else if (/^[\da-fA-F]{1,4}$/.test(part)) groups.push(Number.parseInt(part, 16));
    else return null;
  }
  return groups;
}
