import { Application } from "fingerpost/modules/http.native.js";
import { Greeting } from "./greeting.js";

export const app = Application.builder().resources(Greeting).build();
