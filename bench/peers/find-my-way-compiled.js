import { router as interpreted } from "./find-my-way.js";

export const router = {
  ...interpreted,
  generatesCode: true,
  build: (entries) => ({ router: interpreted.build(entries).router.compile() }),
};
