import type { DeclaredSecurity } from "../../dispatch/guarded.ts";
import { formatBase64, parseBase64 } from "../../http/javascript/base64.ts";
import { hexOf, sha256 } from "../../http/javascript/digest.ts";
import { joinedBytes } from "../../http/javascript/joined-bytes.ts";
import { isEqualText } from "../../http/javascript/equal-text.ts";
import type { OptionCheck } from "../../http/javascript/option-check.ts";
import { refusal } from "../../http/protocol/http-error.ts";
import { Status } from "../../http/protocol/status.ts";
import { hmacOf, isSignedBy, parseStandardSecret, signedBytes } from "./webhook-keys.ts";

interface Delivery {
  /** Reads a header field; null when it is absent. */
  field(name: string): string | null;
  readonly content: Uint8Array<ArrayBuffer>;
}

/** How senders of one kind sign. */
export interface Scheme {
  /** The field that has the signature. */
  readonly name: string;
  /** How far the time of a webhook may be from now. Null if nothing signs it. */
  readonly windowMs: number | null;
  /** @throws {TypeError} when a secret cannot be one of the scheme. */
  readonly checkSecret: (check: OptionCheck, secret: unknown) => void;
  /**
   * Returns the key of the webhook, which its repeats have, too.
   * @throws {HTTPError} when its signature or its time does not fit.
   */
  keyOf(delivery: Delivery, secrets: readonly string[]): Promise<SignedKey>;
}

export interface SignedKey {
  readonly key: string;
  /**
   * Who may have sent it: a digest of each secret whose signature fits. Two senders at one endpoint have ids of their
   * own. While a secret is replaced, senders sign by both.
   */
  readonly senders: readonly string[];
}

/** Five minutes, as Standard Webhooks and Stripe have it. */
const windowMs = 300_000;

// Longer fields and more signatures are an attack: each public key checks each signature.
const longestField = 4_096;
const mostSignatures = 16;

/** The schemes that have a name. */
export const schemes: Readonly<Record<"standard" | "github" | "stripe", Scheme>> = {
  // https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
  standard: {
    name: "webhook-signature",
    windowMs,
    checkSecret(check, secret) {
      const { prefix } = parseStandardSecret(secret) ?? { prefix: "whsk_" };
      check.requireSecret(
        prefix !== "whsk_",
        "secrets",
        "an array of whsec_ and 24 to 64 bytes in Base64, or whpk_ and 32 bytes",
        secret,
      );
    },
    async keyOf(delivery, secrets) {
      // Senders by Svix, such as Clerk and Resend, have its names.
      const field = (name: string): string | null =>
        delivery.field(`webhook-${name}`) ?? delivery.field(`svix-${name}`);
      const id = field("id") ?? "";
      const seconds = field("timestamp") ?? "";
      // A full stop in them would let other content have the same signature.
      if (!/^[!-\-/-~]{1,255}$/.test(id) || !isTime(seconds)) throw unsigned();
      const signed = signedBytes(id, seconds, delivery.content);
      const signatures = partsOf(field("signature"), " ");
      const senders = await sendersOf(secrets, async (secret) => {
        const { prefix, bytes } = parseStandardSecret(secret)!;
        if (prefix !== "whpk_") return hasText(signatures, `v1,${formatBase64(await hmacOf(bytes, signed))}`);
        let isSigned = false;
        for (const signature of signatures) if (await isOfKey(signature, bytes, signed)) isSigned = true;
        return isSigned;
      });
      refuseOtherTimes(seconds);
      return { key: id, senders };
    },
  },
  // https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
  github: {
    name: "x-hub-signature-256",
    windowMs: null,
    checkSecret: checkText,
    async keyOf({ field, content }, secrets) {
      const senders = await sendersBy([field("x-hub-signature-256") ?? ""], "sha256=", content, secrets);
      return { key: await sha256(content), senders };
    },
  },
  // https://docs.stripe.com/webhooks#verify-manually
  stripe: {
    name: "stripe-signature",
    windowMs,
    checkSecret: checkText,
    async keyOf({ field, content }, secrets) {
      const parts = partsOf(field("stripe-signature"), ",");
      const [time = "", ...others] = parts.filter((part) => part.startsWith("t="));
      const seconds = time.slice(2);
      if (others.length > 0 || !isTime(seconds)) throw unsigned();
      const signed = joinedBytes(new TextEncoder().encode(`${seconds}.`), content);
      const senders = await sendersBy(parts, "v1=", signed, secrets);
      refuseOtherTimes(seconds);
      return { key: idIn(content), senders };
    },
  },
};

/** As OpenAPI has it: the field is the nearest that it knows. */
export function securityOf(name: string): DeclaredSecurity {
  return { [name]: { type: "apiKey", in: "header", name } };
}

/** Makes the refusal of a webhook that nobody signed who may. It does not say what was wrong. */
export function unsigned(): Error {
  return refusal(Status.Forbidden, "The signature of the webhook does not match");
}

function sendersBy(
  signatures: readonly string[],
  prefix: string,
  signed: Uint8Array<ArrayBuffer>,
  secrets: readonly string[],
): Promise<readonly string[]> {
  return sendersOf(secrets, async (secret) =>
    hasText(signatures, `${prefix}${hexOf(await hmacOf(new TextEncoder().encode(secret), signed))}`),
  );
}

/** Asks each secret. @throws {HTTPError} 403 when none has signed. */
async function sendersOf(
  secrets: readonly string[],
  hasSigned: (secret: string) => Promise<boolean>,
): Promise<readonly string[]> {
  const senders: string[] = [];
  for (const secret of secrets) {
    if (await hasSigned(secret)) senders.push(await sha256(JSON.stringify(["sender", secret])));
  }
  if (senders.length > 0) return senders;
  throw unsigned();
}

/** Compares each to its end. */
function hasText(signatures: readonly string[], expected: string): boolean {
  return signatures.filter((signature) => isEqualText(signature, expected)).length > 0;
}

async function isOfKey(
  signature: string,
  key: Uint8Array<ArrayBuffer>,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const bytes = signature.startsWith("v1a,") ? parseBase64(signature.slice(4)) : null;
  return bytes?.length === 64 && isSignedBy(key, bytes, signed);
}

function partsOf(value: string | null, separator: string): readonly string[] {
  if (value === null || value.length > longestField) throw unsigned();
  const parts = value.split(separator).map((part) => part.trim());
  if (parts.length > mostSignatures) throw unsigned();
  return parts;
}

function isTime(seconds: string): boolean {
  return /^\d{1,12}$/.test(seconds);
}

/** The signature comes first: nobody else learns of the clock. @throws {HTTPError} 403 */
function refuseOtherTimes(seconds: string): void {
  if (Math.abs(Date.now() - Number(seconds) * 1000) <= windowMs) return;
  throw refusal(Status.Forbidden, "The time of the webhook is more than five minutes from now");
}

/** Reads the id of an event of Stripe, whose signature fits. @throws {HTTPError} 400 when it has none. */
function idIn(content: Uint8Array): string {
  try {
    const event = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(content)) as { readonly id?: unknown };
    if (Object.hasOwn(event, "id") && typeof event.id === "string" && event.id !== "") return event.id;
  } catch {
    // Content that is not JSON has no id.
  }
  throw refusal(Status.BadRequest, "The content of the webhook has no id");
}

function checkText(check: OptionCheck, secret: unknown): void {
  const isLong = typeof secret === "string" && new TextEncoder().encode(secret).length >= 16;
  check.requireSecret(isLong, "secrets", "an array of strings of at least 16 bytes", secret);
}
