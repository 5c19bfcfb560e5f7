import { builtinModule, type ModuleHost } from "../../http/javascript/builtin-module.ts";
import { hexOf } from "../../http/javascript/digest.ts";

/** A SHA-256 of bytes that come one after another. */
export interface Digest {
  /** Takes more bytes. Waits where the runtime works in another thread. */
  add(bytes: Uint8Array): void | Promise<void>;
  /** Returns the digest in hexadecimal. */
  end(): string | Promise<string>;
}

/** The globals that have digests. */
export interface DigestHost extends ModuleHost {
  readonly crypto?: { readonly DigestStream?: DigestStreamConstructor };
}

type DigestStreamConstructor = new (algorithm: string) => WritableStream<Uint8Array> & {
  readonly digest: Promise<ArrayBuffer>;
};

interface NodeCrypto {
  createHash(algorithm: string): { update(bytes: Uint8Array): unknown; digest(encoding: "hex"): string };
}

/**
 * Begins a digest by what the runtime has: `node:crypto` of Node, Bun and Deno, or a `DigestStream` of workerd. Web
 * Crypto takes no more than one piece.
 * @throws {TypeError} when the runtime has neither.
 */
export function newDigest(host: DigestHost = globalThis as DigestHost): Digest {
  const node = builtinModule("node:crypto", host) as NodeCrypto | undefined;
  if (node !== undefined) {
    const hash = node.createHash("sha256");
    return { add: (bytes) => void hash.update(bytes), end: () => hash.digest("hex") };
  }
  const DigestStream = host.crypto?.DigestStream;
  if (DigestStream === undefined) {
    throw new TypeError("Cannot store a file: this runtime has neither node:crypto nor crypto.DigestStream");
  }
  const stream = new DigestStream("SHA-256");
  const writer = stream.getWriter();
  return {
    add: (bytes) => writer.write(bytes),
    async end() {
      await writer.close();
      return hexOf(new Uint8Array(await stream.digest));
    },
  };
}
