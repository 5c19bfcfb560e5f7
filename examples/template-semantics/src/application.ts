import { Application } from "fingerpost/semantics";
import { Greeting } from "./greeting.ts";

const app = Application.builder().resources(Greeting).build();

export default app;
