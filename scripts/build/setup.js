// Installs what the lock file names: `npm start` on a fresh clone needs no other step.
import { fileURLToPath } from "node:url";
import { install } from "./install.js";

install(fileURLToPath(new URL("../..", import.meta.url)), "the development tools");
