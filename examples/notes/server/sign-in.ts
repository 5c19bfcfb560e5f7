import { randomUUID } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { reply, type Call } from "fingerpost";
import { SignedCredentials, User } from "./schemas.ts";
import { session, StoredResource, type Person } from "./stored-resource.ts";

/** A password takes as long where there is no account: nobody learns who has one. */
const nobody = hash(randomUUID());

export class SignIn extends StoredResource {
  paths = ["/session"] as const;

  static GET = { summary: "Who is signed in", 200: User, 404: "Nobody is signed in" };
  GET(call: Call<typeof SignIn, "GET">) {
    return session.get(call).data ?? reply(404);
  }

  static POST = {
    summary: "Signs in",
    content: SignedCredentials,
    200: User,
    403: "The password is not of this address",
  };
  async POST(call: Call<typeof SignIn, "POST">) {
    const { email, password, readOnly } = call.content;
    const [found] = await this.services.sql<Person & { hash: string }>`
      select id, email, hash from users where email = ${email}`;
    if (!(await verify(found?.hash ?? (await nobody), password)) || found === undefined) return reply(403);
    const user = { id: found.id, email, readOnly };
    await session.get(call).start(user);
    return user;
  }

  static DELETE = { summary: "Signs out", 204: "Nobody is signed in now" };
  async DELETE(call: Call<typeof SignIn, "DELETE">) {
    await session.get(call).end();
    return reply(204);
  }
}
