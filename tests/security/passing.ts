// In place of what compresses on Node, which names on all objects have crash the process, or wait for ever.
import { ownOf } from "../../src/http/javascript/property.ts";

export class PassingStream {
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly writable: WritableStream<BufferSource>;

  constructor() {
    ({ readable: this.readable, writable: this.writable } = new TransformStream(ownOf({}), ownOf({}), ownOf({})));
  }
}

class PassingZlib {
  #listeners = new Map<string, (bytes?: Uint8Array) => void>();

  on(event: string, listener: (bytes?: Uint8Array) => void): void {
    this.#listeners.set(event, listener);
  }

  write(bytes: Uint8Array, done: () => void): void {
    this.#listeners.get("data")!(bytes);
    done();
  }

  flush(_kind: number, done: () => void): void {
    done();
  }

  end(): void {
    this.#listeners.get("end")!();
  }

  destroy(): void {}
}

const { getBuiltinModule } = process;

/** Has the process give a zlib that has gzip only, or none; gives what puts things right. */
export function standInForZlib(isThere: boolean): () => void {
  const before = process.getBuiltinModule;
  const zlib = isThere ? { createGzip: () => new PassingZlib() } : undefined;
  process.getBuiltinModule = ((id: string) =>
    id === "node:zlib" ? zlib : getBuiltinModule(id)) as typeof getBuiltinModule;
  return () => {
    process.getBuiltinModule = before;
  };
}

/** Does what is to find no zlib. */
export function withoutZlib<T>(run: () => T): T {
  const restore = standInForZlib(false);
  try {
    return run();
  } finally {
    restore();
  }
}
