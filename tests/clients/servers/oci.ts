import { createHash, randomUUID, type Hash } from "node:crypto";
import { existsSync, mkdirSync, openAsBlob } from "node:fs";
import { appendFile, rename } from "node:fs/promises";
import { join } from "node:path";
import {
  Application,
  bytes,
  HTTPError,
  reply,
  Resource,
  ResourceGroup,
  type Call,
  type ProblemDetails,
} from "fingerpost";
import { basic } from "fingerpost/middleware/basic";
import { bearer } from "fingerpost/middleware/bearer";
import { z } from "zod";

const digest = z.string().regex(/^sha256:[\da-f]{64}$/);
const blobPath = z.object({ name: z.string(), digest });
const [whole, part] = [z.object({ digest }), z.object({ "content-range": z.string().optional() })];
const unknown = "BLOB_UPLOAD_UNKNOWN";
const found = { "Docker-Content-Digest": digest };
const created = { headers: { ...found, Location: z.string() } };
const accepted = { headers: { Location: z.string(), Range: z.string() } };
const layer = bytes("*/*", { stream: true, maxBytes: 5_000_000_000 });
const manifest = bytes("*/*", { maxBytes: 4_000_000 });

/** A registry of container images (OCI distribution 1.1): blobs in a folder, names and manifests in memory. */
export function ociRegistry(folder: string, users: ReadonlyMap<string, string>) {
  const tokens = new Set<string>();
  const manifests = new Map<string, { type: string; content: Uint8Array<ArrayBuffer> }>();
  const uploads = new Map<string, { size: number; hash: Hash }>();
  const fileOf = (named: string): string => join(folder, named.replace("sha256:", ""));
  mkdirSync(folder, { recursive: true });

  class Base extends Resource {
    paths = ["/v2"] as const;
    static GET = { 200: z.object({}) };
    GET() {
      return {};
    }
  }

  class Token extends Resource {
    paths = ["/token"] as const;
    static middleware = [basic({ verify: (name, password) => users.get(name) === password })];
    static GET = { cache: "no-store", 200: z.object({ token: z.string() }) };
    GET() {
      const token = randomUUID();
      tokens.add(token);
      return { token };
    }
  }

  class Blob extends Resource {
    paths = ["/v2/:name+/blobs/:digest"] as const;
    static GET = {
      path: blobPath,
      200: { content: bytes("application/octet-stream"), headers: found },
      404: "BLOB_UNKNOWN",
    };
    async GET({ path }: Call<typeof Blob, "GET">) {
      if (!existsSync(fileOf(path.digest))) return reply(404);
      return reply(200, await openAsBlob(fileOf(path.digest)), { "Docker-Content-Digest": path.digest });
    }
  }

  class Uploads extends Resource {
    paths = ["/v2/:name+/blobs/uploads"] as const;
    static POST = { query: z.object({ mount: digest.optional() }), 201: created, 202: accepted };
    POST({ path, query: { mount } }: Call<typeof Uploads, "POST">) {
      if (mount !== undefined && existsSync(fileOf(mount))) return stored(path.name, "blobs", mount);
      const id = randomUUID();
      uploads.set(id, { size: 0, hash: createHash("sha256") });
      return reply(202, undefined, progressOf(path.name, id));
    }
  }

  class Upload extends Resource {
    paths = ["/v2/:name+/blobs/uploads/:id"] as const;
    static GET = { 204: accepted, 404: unknown };
    GET({ path }: Call<typeof Upload, "GET">) {
      return reply(204, undefined, progressOf(path.name, path.id));
    }

    static PATCH = { headers: part, content: layer, 202: accepted, 404: unknown, 416: "BLOB_UPLOAD_INVALID" };
    async PATCH({ path, content, headers }: Call<typeof Upload, "PATCH">) {
      const start = headers["content-range"]?.split("-")[0];
      if (start !== undefined && Number(start) !== uploadOf(path.id).size) return reply(416);
      await append(path.id, content);
      return reply(202, undefined, progressOf(path.name, path.id));
    }

    static PUT = { query: whole, content: layer, 201: created, 400: "DIGEST_INVALID", 404: unknown };
    async PUT({ path, query, content }: Call<typeof Upload, "PUT">) {
      const { hash } = await append(path.id, content);
      uploads.delete(path.id);
      if (`sha256:${hash.digest("hex")}` !== query.digest) return reply(400);
      await rename(fileOf(path.id), fileOf(query.digest));
      return stored(path.name, "blobs", query.digest);
    }
  }

  class Manifest extends Resource {
    paths = ["/v2/:name+/manifests/:reference"] as const;
    static GET = { 200: { content: manifest, headers: found }, 404: "MANIFEST_UNKNOWN" };
    GET({ path }: Call<typeof Manifest, "GET">) {
      const held = manifests.get(`${path.name}:${path.reference}`);
      if (held === undefined) return reply(404);
      return reply(200, held.content, { "Content-Type": held.type, "Docker-Content-Digest": digestOf(held.content) });
    }

    static PUT = { content: manifest, 201: created };
    PUT({ path, content, contentType: type = "" }: Call<typeof Manifest, "PUT">) {
      for (const key of [path.reference, digestOf(content)]) manifests.set(`${path.name}:${key}`, { type, content });
      return stored(path.name, "manifests", digestOf(content));
    }

    static DELETE = { 202: "The manifest is deleted", 404: "MANIFEST_UNKNOWN" };
    DELETE({ path }: Call<typeof Manifest, "DELETE">) {
      return manifests.delete(`${path.name}:${path.reference}`) ? reply(202) : reply(404);
    }
  }

  class Tags extends Resource {
    paths = ["/v2/:name+/tags/list"] as const;
    static GET = { 200: z.object({ name: z.string(), tags: z.array(z.string()) }) };
    GET({ path: { name } }: Call<typeof Tags, "GET">) {
      const keys = [...manifests.keys()].filter((key) => key.startsWith(`${name}:`) && !key.includes(":sha256:"));
      return { name, tags: keys.map((key) => key.slice(name.length + 1)).toSorted() };
    }
  }

  const uploadOf = (id: string): { size: number; hash: Hash } => {
    const upload = uploads.get(id);
    if (upload === undefined) throw new HTTPError(404, unknown);
    return upload;
  };
  const progressOf = (name: string, id: string) => ({
    Location: `/v2/${name}/blobs/uploads/${id}`,
    Range: `0-${Math.max(0, uploadOf(id).size - 1)}`,
  });

  async function append(id: string, content: ReadableStream<Uint8Array>) {
    const upload = uploadOf(id);
    for await (const chunk of content) {
      upload.hash.update(chunk);
      upload.size += chunk.byteLength;
      await appendFile(fileOf(id), chunk);
    }
    return upload;
  }

  const scopeOf = (name = ""): string => `repository:${name}:pull,push`;
  const guard = bearer({
    verify: (token) => tokens.has(token),
    challenge: ({ params, url }) => {
      const realm = new URL("/token", url).href;
      return { realm, service: "registry", scope: scopeOf(params?.pathParam("name")) };
    },
  });
  const all = ResourceGroup.builder().resources(Base, Blob, Uploads, Upload, Manifest, Tags).middleware(guard).build();
  const errors = z.array(z.object({ code: z.string(), message: z.string() }));
  const from = ({ status, title = "", detail: message = title }: ProblemDetails) => {
    const code = /^[A-Z_]+$/.test(message) ? message : status === 401 ? "UNAUTHORIZED" : "UNSUPPORTED";
    return { errors: [{ code, message }] };
  };
  return Application.builder()
    .resources(Token, all)
    .problems({ type: "application/json", schema: z.object({ errors }), from })
    .build();
}

function digestOf(content: Uint8Array): string {
  return `sha256:${createHash("sha256").update(content).digest("hex")}`;
}

function stored(name: string, kind: "blobs" | "manifests", named: string) {
  return reply(201, undefined, { Location: `/v2/${name}/${kind}/${named}`, "Docker-Content-Digest": named });
}
