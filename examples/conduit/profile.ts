import { reply, type Call } from "fingerpost";
import { readerOf } from "./guards.ts";
import { foundProfile } from "./profile-answers.ts";
import { StoreResource } from "./store-resource.ts";

export class Profile extends StoreResource {
  paths = ["/profiles/:username"] as const;
  static readonly tags = ["Profiles"];

  static GET = { id: "profile", ...foundProfile };
  async GET(call: Call<typeof Profile, "GET">) {
    const profile = await this.store.profile(call.path.username, readerOf(call));
    return profile === undefined ? reply(404) : { profile };
  }
}
