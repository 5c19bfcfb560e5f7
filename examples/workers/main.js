// Cloudflare Workers: npx wrangler dev examples/workers/main.js
export { application as default } from "../greetings/native.js";
