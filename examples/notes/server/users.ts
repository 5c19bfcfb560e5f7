import { hash } from "@node-rs/argon2";
import { reply, type Call } from "fingerpost";
import { Credentials, User } from "./schemas.ts";
import { session, StoredResource, type Person } from "./stored-resource.ts";

export class Users extends StoredResource {
  paths = ["/users"] as const;

  static POST = { summary: "Signs up", content: Credentials, 201: User, 409: "Somebody has this e-mail address" };
  async POST(call: Call<typeof Users, "POST">) {
    const { email, password } = call.content;
    const [user] = await this.services.sql<Person>`
      insert into users (email, hash) values (${email}, ${await hash(password)})
      on conflict do nothing returning id, email, false as "readOnly"`;
    if (user === undefined) return reply(409);
    await session.get(call).start(user);
    return reply(201, user);
  }
}
