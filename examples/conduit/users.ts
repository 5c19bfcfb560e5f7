import { reply, type Call } from "fingerpost";
import { hashed } from "./passwords.ts";
import { NewUser, User as OneUser } from "./schemas.ts";
import { StoreResource } from "./store-resource.ts";
import { shown, takenBy } from "./user-answers.ts";

export class Users extends StoreResource {
  paths = ["/users"] as const;
  static readonly tags = ["Users"];

  static POST = { id: "register", content: NewUser, 201: OneUser, 422: "The name or the address is taken" };
  async POST({ content: { user } }: Call<typeof Users, "POST">) {
    const added = await this.store.addUser({ ...user, password: await hashed(user.password) });
    if (typeof added === "string") return reply(422);
    return "taken" in added ? takenBy(added) : reply(201, await shown(added));
  }
}
