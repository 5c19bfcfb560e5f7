import { reply, type Call } from "fingerpost";
import { readerOf } from "./guards.ts";
import { hashed } from "./passwords.ts";
import { User as OneUser, UserChange } from "./schemas.ts";
import { StoreResource } from "./store-resource.ts";
import type { UserRow } from "./store.ts";
import { shown, takenBy } from "./user-answers.ts";

export class CurrentUser extends StoreResource {
  paths = ["/user"] as const;
  static readonly tags = ["Users"];

  static GET = { id: "currentUser", scopes: ["user"], 200: OneUser, 401: "The user is not there any more" };
  async GET(call: Call<typeof CurrentUser, "GET">) {
    const found = await this.store.user(readerOf(call)!);
    return found === undefined ? reply(401) : shown(found);
  }

  static PUT = {
    id: "changeUser",
    scopes: ["user"],
    content: UserChange,
    200: OneUser,
    401: "The user is not there any more",
    422: "Taken",
  };
  async PUT(call: Call<typeof CurrentUser, "PUT">) {
    const { password, image, ...change } = call.content.user;
    const changed = await this.store.changeUser(readerOf(call)!, {
      ...(change as Partial<UserRow>),
      ...(image !== undefined && { image: image === "" ? null : image }),
      ...(password !== undefined && { password: await hashed(password) }),
    });
    if (typeof changed === "string") return reply(401);
    return "taken" in changed ? takenBy(changed) : shown(changed);
  }
}
