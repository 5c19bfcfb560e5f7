import { serve } from "fingerpost/node";
import { address, notes } from "./application.ts";
import { openServices } from "./services.ts";
import { HOST, PORT } from "./settings.ts";

const services = await openServices();
const server = await serve(notes(services), { port: PORT, hostname: HOST, stopOn: ["SIGINT", "SIGTERM"], address });
server.once("close", () => services.close());
console.log(`Notes: http://${HOST}:${PORT}/app/, described at http://${HOST}:${PORT}/docs`);
