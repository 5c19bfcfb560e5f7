import { createHash, randomUUID } from "node:crypto";
import { Application, Attribute, bytes, json, reply, Resource, ResourceGroup, type Call } from "fingerpost";
import { bearer } from "fingerpost/middleware/bearer";
import { decompress } from "fingerpost/middleware/decompress";
import { z } from "zod";

const version = z.looseObject({ name: z.string(), version: z.string(), dist: z.looseObject({ tarball: z.string() }) });
const attachment = z.object({ content_type: z.string(), data: z.base64(), length: z.int() });
const published = z.looseObject({
  name: z.string(),
  "dist-tags": z.record(z.string(), z.string()),
  versions: z.record(z.string(), version),
  _attachments: z.record(z.string(), attachment),
});
const packument = z.looseObject({
  name: z.string(),
  "dist-tags": z.record(z.string(), z.string()),
  versions: z.record(z.string(), version),
});
const done = z.object({ ok: z.string() });

/** An npm registry in memory. Everybody may read; who has a token may publish. */
export function npmRegistry(users: ReadonlyMap<string, string>) {
  const tokens = new Map<string, string>();
  const user = new Attribute<string>("user");
  const guard = bearer({ verify: (token) => tokens.get(token), identity: user, realm: "npm" });
  const packages = new Map<string, z.infer<typeof packument>>();
  const tarballs = new Map<string, Uint8Array<ArrayBuffer>>();

  class Ping extends Resource {
    paths = ["/-/ping"] as const;
    static GET = { 200: z.object({}) };
    GET() {
      return {};
    }
  }

  class Login extends Resource {
    paths = ["/-/user/org.couchdb.user\\::name"] as const;
    static PUT = {
      content: z.looseObject({ name: z.string(), password: z.string() }),
      cache: "no-store",
      201: z.object({ ok: z.string(), token: z.string() }),
      401: "Unknown name or password",
    };
    PUT({ path, content }: Call<typeof Login, "PUT">) {
      if (users.get(path.name) !== content.password) return reply(401);
      const token = `npm_${randomUUID()}`;
      tokens.set(token, path.name);
      return reply(201, { ok: `you are authenticated as '${path.name}'`, token });
    }
  }

  class Whoami extends Resource {
    paths = ["/-/whoami"] as const;
    static middleware = [guard];
    static GET = { 200: z.object({ username: z.string() }) };
    GET({ request }: Call<typeof Whoami, "GET">) {
      return { username: user.get(request) };
    }
  }

  class Advisories extends Resource {
    paths = ["/-/npm/v1/security/advisories/bulk"] as const;
    static POST = { content: z.record(z.string(), z.array(z.string())), 200: z.object({}) };
    POST() {
      return {};
    }
  }

  /** A name with a scope is one segment: npm sends its slash as %2f. */
  class Package extends Resource {
    paths = ["/:name"] as const;

    static GET = { 200: packument, 404: "No package has this name", etag: "content" as const };
    GET({ path, request }: Call<typeof Package, "GET">) {
      const found = packages.get(path.name);
      if (found === undefined) return reply(404);
      const { origin } = new URL(request.url);
      const versions = Object.entries(found.versions).map(([number, one]) => {
        const tarball = `${origin}/${path.name}/-/${fileOf(path.name, number)}`;
        return [number, { ...one, dist: { ...one.dist, tarball } }];
      });
      return { ...found, versions: Object.fromEntries(versions) as typeof found.versions };
    }

    static PUT = {
      content: json(published, { maxBytes: 50_000_000 }),
      201: done,
      409: "This version was published before",
      422: "The content is not what its version says",
    };
    PUT({ path, content: { _attachments: attached, ...sent } }: Call<typeof Package, "PUT">) {
      const held = packages.get(path.name);
      for (const [number, { dist }] of Object.entries(sent.versions)) {
        if (held?.versions[number]) return reply(409);
        const file = Buffer.from(Object.values(attached)[0]?.data ?? "", "base64");
        const digest = createHash("sha512").update(file).digest("base64");
        if (dist["integrity"] !== `sha512-${digest}`) return reply(422);
        tarballs.set(`${path.name}/${fileOf(path.name, number)}`, new Uint8Array(file));
      }
      packages.set(path.name, {
        ...sent,
        versions: { ...held?.versions, ...sent.versions },
        "dist-tags": { ...held?.["dist-tags"], ...sent["dist-tags"] },
      });
      return reply(201, { ok: "published" });
    }
  }

  class Tarball extends Resource {
    paths = ["/:name+/-/:file"] as const;
    static GET = {
      cache: "public, max-age=31536000, immutable",
      200: bytes("application/octet-stream"),
      404: "No tarball has this name",
    };
    GET({ path }: Call<typeof Tarball, "GET">) {
      return tarballs.get(`${path.name}/${path.file}`) ?? reply(404);
    }
  }

  class Tags extends Resource {
    paths = ["/-/package/:name/dist-tags", "/-/package/:name/dist-tags/:tag"] as const;
    static GET = {
      at: ["/-/package/:name/dist-tags"] as const,
      200: z.record(z.string(), z.string()),
      404: "No package has this name",
    };
    GET({ path }: Call<typeof Tags, "GET">) {
      return packages.get(path.name)?.["dist-tags"] ?? reply(404);
    }

    static PUT = {
      at: ["/-/package/:name/dist-tags/:tag"] as const,
      content: z.string(),
      201: done,
      404: "No package has this name",
    };
    PUT({ path, content }: Call<typeof Tags, "PUT">) {
      const tags = packages.get(path.name)?.["dist-tags"];
      if (tags === undefined) return reply(404);
      tags[path.tag] = content;
      return reply(201, { ok: "tagged" });
    }
  }

  function fileOf(name: string, number: string): string {
    return `${name.replace(/^.*\//, "")}-${number}.tgz`;
  }

  return Application.builder()
    .middleware(decompress())
    .resources(Ping, Login, Advisories, Tarball)
    .resources(ResourceGroup.builder().resources(Package, Tags, Whoami).middleware(guard.on("PUT")).build())
    .build();
}
