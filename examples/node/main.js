// Node: node examples/node/main.js
import { serve } from "fingerpost/node";
import { application } from "../greetings/polyfill.js";

const { PORT: port = 3000 } = process.env;
const server = await serve(application, { port, hostname: "127.0.0.1", stopOn: ["SIGINT", "SIGTERM"] });
console.log(`http://127.0.0.1:${server.address().port}/hello/Ada`);
