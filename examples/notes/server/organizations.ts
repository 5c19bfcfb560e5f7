import { page, reply, ResourceGroup, urlOf, type Asked, type AskedAt, type Call } from "fingerpost";
import type { z } from "zod";
import { Note as NoteResource } from "./note.ts";
import type { Services } from "./services.ts";
import { Note, NoteContent, NotePlace, Organization, Member } from "./schemas.ts";
import { me, StoredResource } from "./stored-resource.ts";

const prefix = "/organizations/:organization";
type Prefix = typeof prefix;

/** What who asks is in an organization. */
async function roleOf({ sql }: Services, { path, request }: AskedAt<Prefix>) {
  const [found] = await sql<{ role: "admin" | "member" }>`
    select role from members where organization = ${path.organization} and member = ${me.get(request).id}`;
  return found?.role;
}

export class Organizations extends StoredResource {
  paths = ["/organizations"] as const;

  static POST = {
    summary: "Founds an organization, whose admin you are",
    scopes: ["notes:write"],
    content: Organization,
    201: Organization,
    409: "There is one of this name",
  };
  async POST(call: Call<typeof Organizations, "POST">) {
    const { name } = call.content;
    const founded = await this.services.sql`
      with founded as (insert into organizations values (${name}) on conflict do nothing returning name)
      insert into members select name, ${me.get(call).id}, 'admin' from founded returning organization`;
    return founded.length > 0 ? reply(201, { name }) : reply(409);
  }
}

export class SharedNotes extends StoredResource {
  paths = ["/notes"] as const;

  static GET = {
    summary: "The notes that members share, by title",
    scopes: ["notes:read"],
    200: page(Note, { by: NotePlace }),
    tool: { name: "list_shared_notes" },
  };
  async GET(call: Call<typeof SharedNotes, "GET", Prefix>) {
    const { after, limit } = call.page;
    const found = await this.services.sql<z.output<typeof Note>>`
      select id, title, body from notes
      where organization = ${call.path.organization}
        and (${after?.title ?? null}::text is null or (title, id) > (${after?.title ?? null}, ${after?.id ?? null}::int))
      order by title, id limit ${limit + 1}`;
    return call.page.of(found);
  }

  static POST = { summary: "Shares a note with all members", scopes: ["notes:write"], content: NoteContent, 201: Note };
  async POST(call: Call<typeof SharedNotes, "POST", Prefix>) {
    const { title, body } = call.content;
    const [note] = await this.services.sql<z.output<typeof Note>>`
      insert into notes (owner, title, body, organization)
      values (${me.get(call).id}, ${title}, ${body}, ${call.path.organization}) returning id, title, body`;
    return reply(201, note!, { Location: urlOf(call, NoteResource, { id: note!.id }) });
  }
}

export class Members extends StoredResource {
  paths = ["/members"] as const;

  static POST = {
    summary: "Admits somebody, as an admin may",
    scopes: ["notes:write"],
    may: async (asked: Asked<typeof Members, Prefix>) => (await roleOf(asked.resource.services, asked)) === "admin",
    content: Member,
    204: "Is a member",
    403: "You are no admin",
    422: "Nobody has this e-mail address",
  };
  async POST(call: Call<typeof Members, "POST", Prefix>) {
    const { email, role } = call.content;
    const admitted = await this.services.sql`
      insert into members select ${call.path.organization}, id, ${role} from users where email = ${email}
      on conflict (organization, member) do update set role = excluded.role returning member`;
    return reply(admitted.length > 0 ? 204 : 422);
  }
}

/** What members share: nobody else learns that an organization is there. */
export const organizationOf = (services: Services) =>
  ResourceGroup.builder()
    .resources(SharedNotes, Members)
    .prefix(prefix)
    .may({ hides: true, ask: async (asked) => (await roleOf(services, asked)) !== undefined })
    .build();
