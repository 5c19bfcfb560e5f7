import { serve } from "fingerpost/node";
import { address, notes } from "./application.ts";
import { openServices } from "./services.ts";
import { HOST, PORT } from "./settings.ts";

const services = await openServices();
const app = notes(services);
const server = await serve(app, { port: PORT, hostname: HOST, stopOn: ["SIGINT", "SIGTERM"], address });
// Work after answers may need the database still.
server.once("close", () => app.settled().then(() => services.close()));
console.log(`Notes: http://${HOST}:${PORT}/app/, described at http://${HOST}:${PORT}/docs`);
