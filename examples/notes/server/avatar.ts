import { openAsBlob } from "node:fs";
import { rm } from "node:fs/promises";
import { bytes, form, reply, upload, type Call } from "fingerpost";
import { disk } from "fingerpost/files";
import { me, StoredResource } from "./stored-resource.ts";
import { FILES } from "./settings.ts";

export class Avatar extends StoredResource {
  paths = ["/avatar"] as const;

  static GET = { summary: "Your picture", 200: bytes("image/png"), 404: "You have no picture" };
  async GET(call: Call<typeof Avatar, "GET">) {
    const [user] = await this.services.sql<{ avatar: string | null }>`
      select avatar from users where id = ${me.get(call).id}`;
    return user?.avatar ? openAsBlob(user.avatar, { type: "image/png" }) : reply(404);
  }

  static PUT = {
    summary: "Sets your picture",
    scopes: ["profile:write"],
    content: form({ picture: upload({ maxBytes: 2_000_000, types: ["image/png"], to: disk(FILES) }) }),
    204: "This is your picture now",
  };
  async PUT(call: Call<typeof Avatar, "PUT">) {
    const [before] = await this.services.sql<{ avatar: string | null }>`
      with old as (select avatar from users where id = ${me.get(call).id} for update)
      update users set avatar = ${call.content.picture.file} where id = ${me.get(call).id}
      returning (select avatar from old) as avatar`;
    if (before?.avatar) await rm(before.avatar, { force: true });
    return reply(204);
  }
}
