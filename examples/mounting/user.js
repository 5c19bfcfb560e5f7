import { bearer } from "fingerpost/middleware/bearer";
import { Attribute } from "fingerpost/native";

/** Who asks, as the guard below found out: the mounted frameworks read it from the request. */
export const user = new Attribute("user");

/** Lets pass who has a token, whatever is mounted behind it. */
export const guard = bearer({ tokens: { k7: "Ada" }, identity: user });
