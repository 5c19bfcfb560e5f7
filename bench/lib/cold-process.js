// A process that has done nothing yet: loads what a task names, builds it, has it answer once, and says how long that
// took.
import { readFileSync } from "node:fs";
import { start, stop } from "./clock.js";

const { file, app, entries, find, isMiss } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const milliseconds = app === undefined ? await router() : await application();
console.log(JSON.stringify({ milliseconds }));

async function router() {
  const given = entries.map((entry) => ({ ...entry, handler: {} }));
  // What the bench has for all of them is no part of it, nor is how our adapter finds the build.
  const { built } = await import("./candidate.js");
  await import("./own-router.js");
  await import("./dist.js");
  start();
  const { router } = await import(new URL(`../${file}`, import.meta.url).href);
  const scope = await built(router, given);
  const path = "/repos/someone/something/issues/42/comments";
  const ask = new Function(...Object.keys(scope), "method", "path", `const found = ${find}; return !(${isMiss});`);
  const isFound = ask(...Object.values(scope), "GET", path);
  const took = stop();
  if (!isFound) throw new Error("It did not find the path");
  return took;
}

async function application() {
  const { appOf } = await import("./apps.js");
  await import("./app-handlers.js");
  await import("./dist.js");
  const shared = new Response("ok");
  const given = entries.map((entry) => ({ ...entry, respond: () => shared }));
  const input = new Request("http://localhost/repos/someone/something/issues/42/comments");
  start();
  const { takes, create } = await appOf(app);
  const handle = await create(given);
  const response = await handle(
    takes === "context" ? { url: "/repos/someone/something/issues/42/comments", method: "GET" } : input,
  );
  const took = stop();
  if (response !== shared && response.status !== 200) throw new Error("It did not answer");
  return took;
}
