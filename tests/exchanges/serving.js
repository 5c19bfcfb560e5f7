// Serves the applications by the server of Bun or Deno, each at a port of its own, and one more that begins exchanges
// and has what was reported: `bun serving.js --dist=DIR`. Ends with its standard input.
import { begin } from "./fixed.js";
import { modulesOf } from "./build.js";
import { withFiles } from "./files.js";
import { notesOf } from "./notes.js";
import { turn } from "./over-fetch.js";
import { fetchApplications } from "./served.js";

const { dist } = Object.fromEntries(process.argv.slice(2).map((one) => one.replace(/^--/, "").split("=")));
const modules = await modulesOf(dist);
const { notes, note } = notesOf();

function portOf({ fetch, websocket }) {
  const options = { port: 0, hostname: "127.0.0.1" };
  if ("Bun" in globalThis) return Bun.serve({ ...options, fetch, ...(websocket && { websocket }) }).port;
  return Deno.serve({ ...options, onListen: () => {} }, fetch).addr.port;
}

await withFiles(async (folder) => {
  const { semantics, native } = fetchApplications(modules, note, modules.folder.snapshot(folder));
  const chains = { semantics, native };
  const ports = {};
  for (const [chain, apps] of Object.entries(chains))
    ports[chain] = Object.fromEntries(Object.entries(apps).map(([name, app]) => [name, portOf(app)]));
  const control = portOf({
    async fetch(request) {
      const { chain, around, name } = await request.json();
      if (name !== undefined) {
        begin(name);
        notes.length = 0;
        return Response.json([]);
      }
      await turn();
      await chains[chain][around].settled();
      await turn();
      return Response.json(notes);
    },
  });
  console.log(`LISTENING ${JSON.stringify({ ports, control })}`);
});
process.stdin.on("end", () => process.exit(0)).resume();
