import { serve } from "fingerpost/node";
import app from "./application.ts";

const port = Number(process.env["PORT"] ?? 3000);
const stop = new AbortController();
await serve(app, { port, signal: stop.signal });
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop.abort());
console.log(`http://localhost:${port}/books/1 is a book, and http://localhost:${port}/docs describes the API`);
