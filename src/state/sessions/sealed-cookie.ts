import type * as Jose from "jose";

/** The longest value: browsers ignore a cookie whose name, value and attributes have more than 4,096 bytes. */
const mostBytes = 3_800;

export interface SealedContent {
  /** The data, as JSON. */
  readonly data: string;
  readonly startedMs: number;
  readonly seenMs: number;
}

/** Seals sessions into cookies by JWE, `dir` and A256GCM (RFC 7516). The first secret seals, all open. */
export class SealedCookie {
  readonly #name: string;
  readonly #secrets: readonly string[];
  #keys: Promise<readonly CryptoKey[]> | null = null;

  constructor(name: string, secrets: readonly string[]) {
    this.#name = name;
    this.#secrets = [...secrets];
  }

  /** @throws {TypeError} when a cookie cannot hold it. */
  async seal({ data, startedMs, seenMs }: SealedContent): Promise<string> {
    const { CompactEncrypt } = await loadedJose();
    const [key] = await this.#derived();
    const text = new TextEncoder().encode(JSON.stringify([startedMs, seenMs, data]));
    const sealed = await new CompactEncrypt(text).setProtectedHeader({ alg: "dir", enc: "A256GCM" }).encrypt(key!);
    if (sealed.length <= mostBytes) return sealed;
    throw new TypeError(
      `Cannot keep a session: sealed it has ${sealed.length} bytes, and a cookie holds ${mostBytes}; keep less, or ` +
        "use a store",
    );
  }

  /** Returns null when nobody with one of the secrets has sealed it. `isOld` if it was not the first one. */
  async open(text: string): Promise<(SealedContent & { readonly isOld: boolean }) | null> {
    if (text.length > mostBytes || !/^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/.test(text)) return null;
    const { compactDecrypt } = await loadedJose();
    for (const [at, key] of (await this.#derived()).entries()) {
      const opened = await compactDecrypt(text, key, algorithms).catch(() => null);
      if (opened === null) continue;
      const [startedMs, seenMs, data] = JSON.parse(new TextDecoder().decode(opened.plaintext)) as [
        number,
        number,
        string,
      ];
      return { data, startedMs, seenMs, isOld: at > 0 };
    }
    return null;
  }

  #derived(): Promise<readonly CryptoKey[]> {
    return (this.#keys ??= Promise.all(this.#secrets.map((secret) => derived(secret, this.#name))));
  }
}

const algorithms = { keyManagementAlgorithms: ["dir"], contentEncryptionAlgorithms: ["A256GCM"] };

/** HKDF (RFC 5869): a secret that signs something else, or seals another cookie, opens none of these. */
async function derived(secret: string, name: string): Promise<CryptoKey> {
  const bytes = new TextEncoder().encode(secret);
  const root = await crypto.subtle.importKey("raw", bytes, "HKDF", false, ["deriveKey"]);
  const info = new TextEncoder().encode(`fingerpost/sessions ${name}`);
  const rule = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info };
  return crypto.subtle.deriveKey(rule, root, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
}

let loaded: Promise<typeof Jose> | null = null;

function loadedJose(): Promise<typeof Jose> {
  return (loaded ??= loadJose());
}

async function loadJose(): Promise<typeof Jose> {
  try {
    return await import("jose");
  } catch (cause) {
    throw new Error("Cannot seal a session: the package jose is missing; run npm install jose", { cause });
  }
}
