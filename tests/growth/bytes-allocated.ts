// A program: prints as JSON how many bytes calls allocate. V8's compilers are kept out of it, by flags: they allocate
// beside what is measured, and leave out what they see is not needed.
import * as native from "fingerpost/modules/http.native.js";
import * as polyfill from "fingerpost/modules/http.polyfill.js";
import { indexOf, matchSerialized } from "../support/answers.ts";

const collect = (globalThis as unknown as { gc: () => void }).gc;
const answer = new Response(null);
const patterns = ["/", "/posts", "/users", "/users/:id", "/users/me/settings/of/accounts", "/:any/of/all"];
const paths = ["/", "/posts", "/users", "/users/", "/users/me/settings/of/accounts"];
const origin = "http://localhost:3000";

/** The bytes that a call allocates: of some rounds the least, as whoever asks allocates a little, too. */
function bytesOf(call: () => unknown): number {
  let least = Infinity;
  for (let round = 0; round < 10; round++) {
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let at = 0; at < 1000; at++) call();
    least = Math.min(least, process.memoryUsage().heapUsed - before);
  }
  return Math.floor(least / 1000);
}

class Answers extends native.Resource {
  override paths = patterns;
  override GET = (): Response => answer;
}
class Pages extends polyfill.Resource {
  override paths = patterns;
  override GET = (): unknown => answer;
}

const index = indexOf(patterns);
const app = native.Application.builder().resources(Answers).build();
const pages = polyfill.Application.builder().resources(Pages).build();

const nothing = bytesOf(() => answer);
const promise = bytesOf(() => Promise.resolve(answer));
const measured = paths.map((path) => {
  const url = origin + path;
  const context = { url: path, method: "GET" };
  const request = new Request(url);
  const { length } = path.replace(/\/$/, "");
  return {
    path,
    length,
    slices: [bytesOf(() => path.slice(0, length)), bytesOf(() => url.slice(origin.length, origin.length + length))],
    matching: [bytesOf(() => index.match(path, -1)), bytesOf(() => matchSerialized(index, url))],
    handling: [bytesOf(() => pages.handle(context)), bytesOf(() => app.handle(request))],
  };
});
console.log(JSON.stringify({ nothing, promise, measured }));
