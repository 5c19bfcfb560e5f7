import type { Attribute } from "../../application/attribute.ts";
import type { ReceivedRequest } from "../../dispatch/params.ts";
import { originalOf } from "../../dispatch/input-exchange.ts";
import { parseForwarded, parseXForwardedFor } from "../../fields/forwarded.ts";
import { formatIpAddress, networkOf, parseIpAddress } from "../../fields/ip-address.ts";
import { described } from "../../http/javascript/described.ts";
import { propertiesOf } from "../../http/javascript/property.ts";
import { HTTPError } from "../../http/protocol/http-error.ts";
import type { OptionCheck } from "../../http/javascript/option-check.ts";
import { Status } from "../../http/protocol/status.ts";
import { requestField } from "../../fields/request-fields.ts";

/** Options that say how the address of a client is found. */
export interface ClientAddressOptions<Input extends object = ReceivedRequest> {
  /**
   * The address of the connection: an attribute that the host sets, or a function. Default: `request.ip`, as some hosts
   * have it. With the polyfill module, the default is the address of Node's socket.
   */
  readonly address?: Pick<Attribute<string>, "find"> | ((input: Input) => string | null | undefined) | undefined;
  /** How many proxies of your own are in front, each of which adds to a field. Default: 0. */
  readonly trustedHops?: number | undefined;
  /** The field that they add to. Default: `X-Forwarded-For`. */
  readonly forwardedHeader?: "X-Forwarded-For" | "Forwarded" | undefined;
}

export const clientAddressOptions = ["address", "trustedHops", "forwardedHeader"] as const;

/** Refuses each of these options that is wrong. */
export function checkClientAddress<Input extends object>(check: OptionCheck<ClientAddressOptions<Input>>): void {
  const { address, forwardedHeader } = check.options;
  const isAddress = address === undefined || typeof address === "function" || typeof address?.find === "function";
  check.require(isAddress, "address", "an Attribute or a function");
  check.count("trustedHops");
  const isField =
    forwardedHeader === undefined || forwardedHeader === "X-Forwarded-For" || forwardedHeader === "Forwarded";
  check.require(isField, "forwardedHeader", '"X-Forwarded-For" or "Forwarded"');
}

/**
 * Names the network of a client: an IPv4 address as it is, or the first 64 bits of an IPv6 address. One client has all
 * IPv6 addresses that share them. Fields are read from the right, as many addresses as there are trusted hops. If the
 * fields hold fewer addresses, the request did not come that way, and the address of the connection counts.
 * @throws {TypeError} when the host passed no address.
 */
export function clientNetworkOf<Input extends object>(input: Input, options: ClientAddressOptions<Input>): string {
  const address = forwardedAddressOf(input, options) ?? connectionAddressOf(input, options);
  return address.length === 4 ? formatIpAddress(address) : `${formatIpAddress(networkOf(address, 64))}/64`;
}

function forwardedAddressOf(
  input: object,
  options: Pick<ClientAddressOptions, "trustedHops" | "forwardedHeader">,
): Uint8Array | null {
  const { trustedHops = 0, forwardedHeader = "X-Forwarded-For" } = options;
  const value = trustedHops === 0 ? null : requestField(input, forwardedHeader);
  if (value === null) return null;
  const addresses = forwardedHeader === "Forwarded" ? parseForwarded(value) : parseXForwardedFor(value);
  return parseIpAddress(addresses.at(-trustedHops) ?? "");
}

function connectionAddressOf<Input extends object>(input: Input, { address }: ClientAddressOptions<Input>): Uint8Array {
  const text =
    address === undefined ? hostAddressOf(input) : typeof address === "function" ? address(input) : address.find(input);
  const bytes = typeof text === "string" ? parseIpAddress(text) : null;
  if (bytes !== null) return bytes;
  // Node forgets the address when the client has left. Nobody will read the status.
  if (hasLeft(input)) throw new HTTPError(Status.BadRequest);
  if (address === undefined) {
    throw new TypeError(
      `Cannot limit the rate: expected the address of the client, got ${described(text)}; ` +
        'give rateLimit() the option "address" or "keyOf"',
    );
  }
  throw new TypeError(
    `Cannot limit the rate: expected the address of the client from the option "address", got ${described(text)}; ` +
      "set the Attribute where requests come in, in tests as well",
  );
}

interface Host {
  readonly ip?: unknown;
  readonly signal?: { readonly aborted?: boolean };
  readonly request?: {
    readonly socket?: {
      readonly remoteAddress?: unknown;
      readonly localAddress?: unknown;
      readonly destroyed?: boolean;
    };
  };
}

function hostAddressOf(input: object): unknown {
  const { ip, request } = propertiesOf(originalOf(input) as Host, ["ip", "request"]);
  return ip ?? request?.socket?.remoteAddress;
}

function hasLeft(input: object): boolean {
  const { signal, request } = propertiesOf(originalOf(input) as Host, ["signal", "request"]);
  const socket = request?.socket;
  // A connection that was reset has an end on this side alone, before Node hears of it.
  const isReset = socket?.remoteAddress === undefined && socket?.localAddress !== undefined;
  return signal?.aborted === true || socket?.destroyed === true || isReset;
}
