// What the examples of runtimes and hosts serve, for handlers that take a Request.
import { Application } from "fingerpost/native";
import { Greeting } from "./native/greeting.js";
import { Guestbook } from "./native/guestbook.js";

export const application = Application.builder().resources(Greeting, Guestbook).build();
