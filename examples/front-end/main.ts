// Serves the API. `npx vite` serves the page, and sends it what begins with /api.
import { serve } from "fingerpost/node";
import { app } from "./application.ts";

await serve(app, { port: 3000, hostname: "127.0.0.1" });
console.log("http://127.0.0.1:3000/api/books");
