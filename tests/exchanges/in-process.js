// Records what applications answer in the process. Runs on every runtime: `node in-process.js --dist=DIR`.
import { begin } from "./fixed.js";
import { writeFileSync } from "node:fs";
import { aroundsOf } from "./around.js";
import * as native from "./applications/native.js";
import * as semantics from "./applications/semantics.js";
import { modulesOf } from "./build.js";
import { Recording } from "./exchange.js";
import { withFiles } from "./files.js";
import { notesOf } from "./notes.js";
import { askByFetch } from "./over-fetch.js";

const { dist, out } = Object.fromEntries(process.argv.slice(2).map((one) => one.replace(/^--/, "").split("=")));
const modules = await modulesOf(dist);
const recording = new Recording();
const { notes, note } = notesOf();
const byHandle = ["none", "Awaits", "Errors", "cors", "Rethrows"];
begin("applications");
await withFiles(async (folder) => {
  const source = modules.folder.snapshot(folder);
  for (const [name, row] of Object.entries(aroundsOf(modules, note))) {
    const apps = {
      semantics: semantics.semanticsApplication(modules, row, note, source),
      native: native.nativeApplication(modules, row, note, source),
    };
    for (const [chain, { asked, askedAlone }] of Object.entries({ semantics, native })) {
      const all = name === "none" ? [...asked, ...askedAlone] : asked;
      await askByFetch(recording, `${chain} · fetch · ${name}`, apps[chain], all, notes, row);
      if (byHandle.includes(name))
        await askByFetch(recording, `${chain} · handle · ${name}`, apps[chain], all, notes, { ...row, how: "handle" });
    }
  }
  const documented = semantics.semanticsApplication(modules, { documents: true }, note, source);
  await askByFetch(recording, "semantics · fetch · documents", documented, semantics.askedOfDocuments, notes);
});
writeFileSync(out, recording.toString());
console.log(`${recording.count} exchanges`);
