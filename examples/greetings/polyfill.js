// What the examples of hosts serve, for handlers that write to the response of Node.
import { Application } from "fingerpost/polyfill";
import { Greeting } from "./polyfill/greeting.js";
import { Guestbook } from "./polyfill/guestbook.js";

export const application = Application.builder().resources(Greeting, Guestbook).build();
