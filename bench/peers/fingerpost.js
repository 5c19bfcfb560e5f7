import { dist } from "../lib/dist.js";
import { ownRouterOf } from "../lib/own-router.js";

export const router = await ownRouterOf(dist);
