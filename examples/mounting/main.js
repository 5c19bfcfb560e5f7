import { pathToFileURL } from "node:url";
import { Application } from "fingerpost/native";
import { serve } from "fingerpost/node";
import { Auth } from "./better-auth.js";
import { Legacy } from "./hono.js";
import { Me } from "./me.js";
import { Orpc } from "./orpc.js";
import { Trpc } from "./trpc.js";
import { GraphQL } from "./yoga.js";

export const app = Application.builder().resources(Trpc, Orpc, GraphQL, Legacy, Auth, Me).build();

if (import.meta.url === pathToFileURL(process.argv[1]).href) await serve(app, { port: 3000 });
