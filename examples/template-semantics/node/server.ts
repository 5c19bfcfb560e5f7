import { serve } from "fingerpost/node";
import app from "./application.ts";

const port = process.env["PORT"] ?? 3000;
await serve(app, { port, stopOn: ["SIGINT", "SIGTERM"] });
console.log(`http://localhost:${port}/books/1 is a book, and http://localhost:${port}/docs describes the API`);
