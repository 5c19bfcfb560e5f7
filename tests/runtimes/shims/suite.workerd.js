// Cloudflare Workers: answers with what became of the suite.
import { results } from "virtual:suite";

export default { fetch: async () => Response.json(await results()) };
