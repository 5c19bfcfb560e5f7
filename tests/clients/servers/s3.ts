import { createHash, createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { Application, bytes, HTTPError, Middleware, reply, Resource, ResourceGroup, text, type Call } from "fingerpost";
import { z } from "zod";

interface Stored {
  readonly type: string;
  readonly content: Uint8Array<ArrayBuffer>;
  readonly etag: string;
  readonly modified: Date;
  readonly meta: Readonly<Record<string, string>>;
}

const xml = text("application/xml");
const file = bytes("*/*", { maxBytes: 100_000_000 });
const some = z.string().optional();
const [own, max] = [z.string().default(""), z.int().max(1000).default(1000)];
const start = { marker: some, "continuation-token": some };
const listing = z.object({ location: some, prefix: own, delimiter: own, ...start, "max-keys": max });

/** A part of S3, by path-style URLs and signatures of version 4: buckets, objects, lists, copies, uploads in parts. */
export function s3Server(keys: ReadonlyMap<string, string>) {
  const buckets = new Map<string, Map<string, Stored>>();
  const uploads = new Map<string, Map<number, Uint8Array>>();

  class Signed extends Middleware {
    static readonly security = { sigv4: { type: "apiKey", in: "header", name: "Authorization" } } as const;
    static readonly answers = { 403: "SignatureDoesNotMatch" };
    ALL(request: Request) {
      const field = request.headers.get("authorization") ?? "";
      const [, id = "", scope = "", names = "", signature = ""] =
        /Credential=([^/]+)\/([^,]+),\s*SignedHeaders=([^,]+),\s*Signature=(\w+)/.exec(field) ?? [];
      const [secret, given] = [keys.get(id), Buffer.from(signature, "hex")];
      const isSigned = secret !== undefined && given.length === 32;
      if (!isSigned || !timingSafeEqual(given, signatureOf(request, secret, scope, names)))
        throw new HTTPError(403, "SignatureDoesNotMatch");
      return this.next(request);
    }
  }

  class Buckets extends Resource {
    paths = ["/"] as const;
    static GET = { 200: xml };
    GET() {
      const names = [...buckets.keys()].map((name) => `<Bucket>${tag("Name", name)}</Bucket>`);
      return `<ListAllMyBucketsResult><Buckets>${names.join("")}</Buckets></ListAllMyBucketsResult>`;
    }
  }

  class Bucket extends Resource {
    paths = ["/:bucket"] as const;
    static GET = { query: listing, 200: xml, 404: "NoSuchBucket" };
    GET({ path, query }: Call<typeof Bucket, "GET">) {
      const bucket = buckets.get(path.bucket);
      if (bucket === undefined) return reply(404);
      if (query.location !== undefined) return "<LocationConstraint/>";
      const { prefix, delimiter } = query;
      const after = query["continuation-token"] ?? query.marker ?? "";
      const lines = new Map<string, string>();
      for (const [key, { etag, content, modified }] of [...bucket].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
        const end = delimiter ? key.indexOf(delimiter, prefix.length) : -1;
        const shown = end < 0 ? key : key.slice(0, end + delimiter.length);
        if (!key.startsWith(prefix) || shown <= after) continue;
        const facts = tag("ETag", etag) + tag("Size", content.length) + tag("LastModified", modified.toISOString());
        const folder = `<CommonPrefixes>${tag("Prefix", shown)}</CommonPrefixes>`;
        lines.set(shown, end < 0 ? `<Contents>${tag("Key", key)}${facts}</Contents>` : folder);
      }
      const page = [...lines].slice(0, query["max-keys"]);
      const isCut = page.length < lines.size;
      const next = page.at(-1)?.[0] ?? "";
      const more = isCut ? tag("NextMarker", next) + tag("NextContinuationToken", next) : "";
      const head = tag("Name", path.bucket) + tag("Prefix", prefix) + tag("IsTruncated", isCut) + more;
      return `<ListBucketResult>${head}${page.map(([, line]) => line).join("")}</ListBucketResult>`;
    }

    static PUT = { content: text("*/*"), 200: "The bucket is made" };
    PUT({ path }: Call<typeof Bucket, "PUT">) {
      buckets.set(path.bucket, buckets.get(path.bucket) ?? new Map());
    }

    static DELETE = { 204: "The bucket is deleted", 404: "NoSuchBucket", 409: "BucketNotEmpty" };
    DELETE({ path }: Call<typeof Bucket, "DELETE">) {
      if (buckets.get(path.bucket)?.size) return reply(409);
      return buckets.delete(path.bucket) ? reply(204) : reply(404);
    }

    static POST = { query: z.object({ delete: z.string() }), content: text("application/xml"), 200: xml };
    POST({ path, content: asked }: Call<typeof Bucket, "POST">) {
      const names = Array.from(asked.matchAll(/<Key>([^<]*)<\/Key>/g), ([, key]) => unescaped(key!));
      for (const name of names) buckets.get(path.bucket)?.delete(name);
      return `<DeleteResult>${names.map((name) => `<Deleted>${tag("Key", name)}</Deleted>`).join("")}</DeleteResult>`;
    }
  }

  const itemAt = (bucket: string, key: string): Stored | undefined => buckets.get(bucket)?.get(key);

  class Item extends Resource {
    paths = ["/:bucket/:key+"] as const;

    validator({ path }: Call<typeof Item, "GET">) {
      const found = itemAt(path.bucket, path.key);
      return found === undefined ? null : { etag: found.etag, lastModified: found.modified };
    }

    static GET = { query: z.object({ acl: some }), 200: bytes("*/*"), 404: "NoSuchKey" };
    GET({ path, query }: Call<typeof Item, "GET">) {
      const found = itemAt(path.bucket, path.key);
      if (found === undefined) return reply(404);
      if (query.acl !== undefined) return new Blob(["<AccessControlPolicy/>"], { type: "application/xml" });
      return reply(200, found.content, { "Content-Type": found.type, ...found.meta });
    }

    static PUT = {
      query: z.object({ uploadId: some, partNumber: z.int().default(1) }),
      headers: z.looseObject({ "x-amz-copy-source": some, "x-amz-metadata-directive": some }),
      content: file,
      200: { content: xml, headers: { ETag: z.string() } },
      404: "NoSuchBucket",
    };
    PUT({ path, query, headers, content, contentType: type = "", request }: Call<typeof Item, "PUT">) {
      const bucket = buckets.get(path.bucket);
      if (bucket === undefined) return reply(404);
      let item = storedOf(content, type, metaOf(request));
      const source = headers["x-amz-copy-source"];
      if (source !== undefined) {
        const [from = "", ...key] = decodeURIComponent(source).replace(/^\//, "").split("/");
        const found = itemAt(from, key.join("/"));
        if (found === undefined) return reply(404);
        item = headers["x-amz-metadata-directive"] === "REPLACE" ? { ...found, meta: item.meta } : found;
      }
      const parts = uploads.get(query.uploadId ?? "");
      if (parts === undefined) bucket.set(path.key, item);
      else parts.set(query.partNumber, content);
      return reply(200, `<CopyObjectResult>${tag("ETag", item.etag)}</CopyObjectResult>`, { ETag: item.etag });
    }

    static POST = { query: z.object({ uploadId: some }), content: text("*/*"), 200: xml, 404: "NoSuchUpload" };
    POST({ path, query: { uploadId }, request }: Call<typeof Item, "POST">) {
      const id = randomUUID();
      if (uploadId === undefined) uploads.set(id, new Map());
      if (uploadId === undefined)
        return `<InitiateMultipartUploadResult>${tag("UploadId", id)}</InitiateMultipartUploadResult>`;
      const parts = uploads.get(uploadId);
      if (parts === undefined) return reply(404);
      uploads.delete(uploadId);
      const whole = Buffer.concat([...parts].toSorted(([a], [b]) => a - b).map(([, part]) => part));
      const item = storedOf(new Uint8Array(whole), "application/octet-stream", metaOf(request));
      buckets.get(path.bucket)?.set(path.key, item);
      return `<CompleteMultipartUploadResult>${tag("ETag", item.etag)}</CompleteMultipartUploadResult>`;
    }

    static DELETE = { 204: "The object is deleted" };
    DELETE({ path }: Call<typeof Item, "DELETE">) {
      buckets.get(path.bucket)?.delete(path.key);
      return reply(204);
    }
  }

  return Application.builder()
    .resources(ResourceGroup.builder().resources(Buckets, Bucket, Item).middleware(Signed).build())
    .problems({
      type: "application/xml",
      schema: z.string(),
      from: ({ title, detail = title ?? "" }) => `<Error>${tag("Code", detail)}${tag("Message", detail)}</Error>`,
    })
    .build();
}

/** The signature of a request (AWS Signature Version 4). */
function signatureOf(request: Request, secret: string, scope: string, names: string): Buffer {
  const { pathname, search } = new URL(request.url);
  const query = search.match(/[^?&]+/g)?.map((pair) => (pair.includes("=") ? pair : `${pair}=`)) ?? [];
  const fields = names.split(";").map((name) => `${name}:${request.headers.get(name)?.replace(/ +/g, " ")}\n`);
  const hash = request.headers.get("x-amz-content-sha256");
  const asked = [request.method, pathname, query.toSorted().join("&"), fields.join(""), names, hash].join("\n");
  const hashed = createHash("sha256").update(asked).digest("hex");
  const hmac = (key: string | Buffer, part: string): Buffer => createHmac("sha256", key).update(part).digest();
  const key = scope.split("/").reduce<string | Buffer>(hmac, `AWS4${secret}`);
  return hmac(key, ["AWS4-HMAC-SHA256", request.headers.get("x-amz-date"), scope, hashed].join("\n"));
}

function storedOf(content: Uint8Array<ArrayBuffer>, type: string, meta: Stored["meta"]): Stored {
  return { content, type, meta, etag: etagOf(content), modified: new Date() };
}

function metaOf({ headers }: Request): Stored["meta"] {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith("x-amz-meta-")));
}

function etagOf(content: Uint8Array): string {
  return `"${createHash("md5").update(content).digest("hex")}"`;
}

function tag(name: string, value: unknown): string {
  return `<${name}>${String(value).replace(/[<>&]/g, (character) => `&#${character.charCodeAt(0)};`)}</${name}>`;
}

function unescaped(value: string): string {
  const names: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
  return value.replace(/&(?:#(\d+)|(\w+));/g, (_, code, name) => names[name] ?? String.fromCharCode(code));
}
