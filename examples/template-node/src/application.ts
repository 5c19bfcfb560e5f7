import { Application } from "fingerpost/modules/http.native.js";
import { Greeting } from "./greeting.ts";

const app: Application = Application.builder().resources(Greeting).build();

export default app;
