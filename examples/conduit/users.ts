import { reply, Resource, type Answer, type Call } from "fingerpost/semantics";
import { readerOf, signedIn, tokenFor } from "./guards.ts";
import { hashed, isPassword } from "./passwords.ts";
import { Login as Credentials, NewUser, User as OneUser, UserChange } from "./schemas.ts";
import type { Refusal, Store, UserRow } from "./store.ts";

/** A user as the user sees it: the schema leaves out the rest of the row. */
const shown = async (row: UserRow) => ({ user: { ...row, token: await tokenFor(row.id) } });
const takenBy = ({ taken }: Exclude<Refusal, string>) => reply(422, { detail: `${taken} has already been taken` });

export class Users extends Resource {
  paths = ["/users"] as const;
  static readonly tags = ["Users"];
  readonly #store: Store;
  constructor(store: Store) {
    super();
    this.#store = store;
  }

  static POST = { id: "register", content: NewUser, 201: OneUser, 422: "The name or the address is taken" };
  override async POST({ content: { user } }: Call<typeof Users, "POST">): Promise<Answer<typeof Users, "POST">> {
    const added = await this.#store.addUser({ ...user, password: await hashed(user.password) });
    if (typeof added === "string") return reply(422);
    return "taken" in added ? takenBy(added) : reply(201, await shown(added));
  }
}

export class Login extends Resource {
  paths = ["/users/login"] as const;
  static readonly tags = ["Users"];
  readonly #store: Store;
  constructor(store: Store) {
    super();
    this.#store = store;
  }

  static POST = { id: "login", content: Credentials, 200: OneUser, 401: "email or password is invalid" };
  override async POST({ content: { user } }: Call<typeof Login, "POST">): Promise<Answer<typeof Login, "POST">> {
    const found = await this.#store.userByEmail(user.email);
    const isRight = await isPassword(user.password, found?.password);
    return found !== undefined && isRight ? shown(found) : reply(401);
  }
}

export class CurrentUser extends Resource {
  paths = ["/user"] as const;
  static readonly tags = ["Users"];
  static readonly middleware = [signedIn];
  readonly #store: Store;
  constructor(store: Store) {
    super();
    this.#store = store;
  }

  static GET = { id: "currentUser", 200: OneUser, 401: "The user is not there any more" };
  override async GET(call: Call<typeof CurrentUser, "GET">): Promise<Answer<typeof CurrentUser, "GET">> {
    const found = await this.#store.user(readerOf(call)!);
    return found === undefined ? reply(401) : shown(found);
  }

  static PUT = {
    id: "changeUser",
    content: UserChange,
    200: OneUser,
    401: "The user is not there any more",
    422: "Taken",
  };
  override async PUT(call: Call<typeof CurrentUser, "PUT">): Promise<Answer<typeof CurrentUser, "PUT">> {
    const { password, image, ...change } = call.content.user;
    const changed = await this.#store.changeUser(readerOf(call)!, {
      ...(change as Partial<UserRow>),
      ...(image !== undefined && { image: image === "" ? null : image }),
      ...(password !== undefined && { password: await hashed(password) }),
    });
    if (typeof changed === "string") return reply(401);
    return "taken" in changed ? takenBy(changed) : shown(changed);
  }
}
