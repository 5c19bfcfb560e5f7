// Files on Cloudflare Workers: node build.js public site.js && npx wrangler dev
import { env } from "cloudflare:workers";
import { applicationOf } from "./application.js";
import site from "./site.js";

export default applicationOf(site, env.UPLOADS);
