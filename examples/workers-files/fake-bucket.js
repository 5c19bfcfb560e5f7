/** An R2 bucket in memory, as far as bucket.js asks for one: for tests. */
export class FakeBucket {
  #objects = new Map();
  gets = [];

  put(key, text, contentType) {
    const etag = `e${text.length}-${this.#objects.size}-${key}`;
    this.#objects.set(key, { bytes: new TextEncoder().encode(text), etag, contentType });
  }

  delete(key) {
    this.#objects.delete(key);
  }

  async head(key) {
    const object = this.#objects.get(key);
    return object === undefined ? null : headOf(object);
  }

  async get(key, { range, onlyIf }) {
    this.gets.push({ key, range, onlyIf });
    const object = this.#objects.get(key);
    if (object === undefined) return null;
    if (onlyIf.etagMatches !== object.etag) return headOf(object);
    const bytes = object.bytes.subarray(range.offset, range.offset + range.length);
    return { ...headOf(object), body: new Blob([bytes]).stream() };
  }
}

function headOf({ bytes, etag, contentType }) {
  const httpMetadata = contentType === undefined ? {} : { contentType };
  return {
    size: bytes.byteLength,
    etag,
    httpEtag: `"${etag}"`,
    uploaded: new Date("2026-01-02T03:04:05Z"),
    httpMetadata,
  };
}
