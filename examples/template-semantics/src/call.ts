// Calls the API of a server that runs. In a front end, import the client and the type in the same way.
import { client } from "fingerpost/client";
import type app from "./application.ts";

const api = client<typeof app>("http://localhost:3000");
const path = { id: "2" };
await api["/books/:id"].PUT({ path, content: { title: "Emma", year: 1815 } });
const found = await api["/books/:id"].GET({ path });
console.log(found.ok ? found.content.title : found.status);
