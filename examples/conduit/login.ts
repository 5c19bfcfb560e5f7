import { reply, type Call } from "fingerpost";
import { isPassword } from "./passwords.ts";
import { Login as Credentials, User as OneUser } from "./schemas.ts";
import { StoreResource } from "./store-resource.ts";
import { shown } from "./user-answers.ts";

export class Login extends StoreResource {
  paths = ["/users/login"] as const;
  static readonly tags = ["Users"];

  static POST = { id: "login", content: Credentials, 200: OneUser, 401: "email or password is invalid" };
  async POST({ content: { user } }: Call<typeof Login, "POST">) {
    const found = await this.store.userByEmail(user.email);
    const isRight = await isPassword(user.password, found?.password);
    return found !== undefined && isRight ? shown(found) : reply(401);
  }
}
