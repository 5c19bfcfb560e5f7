/** The objects of an R2 bucket, stored without a content coding. */
export function bucketSource(bucket) {
  return {
    codings: [],
    async find(path) {
      const key = path.join("/");
      const head = await bucket.head(key);
      if (head === null) return undefined;
      return {
        length: head.size,
        etag: head.httpEtag,
        lastModified: head.uploaded,
        type: head.httpMetadata?.contentType ?? "application/octet-stream",
        coding: null,
        async *read(start, end) {
          const range = { offset: start, length: end - start };
          const object = await bucket.get(key, { range, onlyIf: { etagMatches: head.etag } });
          // Without a body, it is another state of the object; null, it is gone.
          if (!object?.body) throw new Error(`The object ${key} changed while it was sent`);
          yield* object.body;
        },
        close() {},
      };
    },
  };
}
