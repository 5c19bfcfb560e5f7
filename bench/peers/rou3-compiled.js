import { compileRouter } from "rou3/compiler";
import { router as interpreted } from "./rou3.js";

export const router = {
  ...interpreted,
  generatesCode: true,
  build: (entries) => ({ findRoute: compileRouter(interpreted.build(entries).router) }),
  find: "findRoute(method, path)",
  findOnly: undefined,
};
