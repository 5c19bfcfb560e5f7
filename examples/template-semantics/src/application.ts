import { Application } from "fingerpost/semantics";
import { Greeting } from "./greeting.ts";

// "check" validates each answer by its whole schema, for tests and development. Without that line, members and types
// are checked, and constraints such as `max(40)` are not: that costs less.
const app = Application.builder().resources(Greeting).replies("check").build();

export default app;
