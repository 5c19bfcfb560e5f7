// What a reviewer reads of a change to Conduit: the report of `npx fingerpost openapi dist/described.js --against
// openapi.json --format markdown`. docs/breaking-changes.md shows it.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { run } from "../../src/cli/run.ts";

const isInstalled = existsSync(fileURLToPath(new URL("node_modules", import.meta.url)));
const module = fileURLToPath(new URL("described.ts", import.meta.url));

/** A part of a document, to be changed. */
interface Node {
  [name: string]: Node;
}

/** The release before: what it had otherwise, by operations and schemas. */
function asItWas(document: Node): Node {
  const { paths, components } = document as Readonly<Record<"paths" | "components", Node>>;
  const set = (object: Node, members: object): void => void Object.assign(object, members);
  const query = (paths["/api/articles"]!["get"]!["parameters"] as unknown as Node[]).find(
    ({ name }) => (name as unknown) === "limit",
  )!;
  // It took more at once, and shorter passwords; the description of an article could be left out.
  set(query["schema"]!, { maximum: 500 });
  const password = { type: "string", minLength: 6, maxLength: 200 };
  const content = (operation: Node): Node =>
    operation["requestBody"]!["content"]!["application/json"]!["schema"]!["properties"]!;
  set(content(paths["/api/users"]!["post"]!)["user"]!["properties"]!, { password });
  set(content(paths["/api/articles"]!["post"]!)["article"]!, { required: ["title", "body"] });
  // Profiles had a location, users always a bio, and nobody read who favored an article.
  set(components["schemas"]!["Profile"]!["properties"]!, { location: { type: "string" } });
  set(components["schemas"]!["User"]!["properties"]!, { bio: { type: "string" } });
  delete components["schemas"]!["Article"]!["properties"]!["favorited"];
  // Comments were read by their number, and articles had no stream.
  const comment = paths["/api/articles/{slug}/comments/{id}"]!;
  comment["get"] = structuredClone(paths["/api/articles/{slug}"]!["get"]!);
  set(comment["get"], { operationId: "comment", parameters: comment["delete"]!["parameters"] });
  delete paths["/api/live"];
  return document;
}

it.skipIf(!isInstalled)("C22.1 tells a reviewer in a minute what a change to Conduit breaks", async () => {
  const folder = mkdtempSync(join(tmpdir(), "fingerpost-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const printed = await run(["openapi", module]);
  expect(printed.code).toBe(0);
  const file = join(folder, "openapi.json");
  writeFileSync(file, JSON.stringify(asItWas(JSON.parse(printed.output) as Node)));
  const { output, code } = await run(["openapi", module, "--against", file, "--format", "markdown"]);
  expect(code).toBe(1);
  const page = readFileSync(new URL("../../docs/breaking-changes.md", import.meta.url), "utf8");
  const [, shown] = /^```text\n(.*?)^```$/ms.exec(page) ?? [];
  expect(output).toBe(shown);
  // People read about 200 words a minute.
  expect(output.split(/[^\w.{}/]+/).length).toBeLessThan(200);
  expect((await run(["openapi", module, "--against", writtenTo(folder, printed.output)])).code).toBe(0);
});

function writtenTo(folder: string, text: string): string {
  const file = join(folder, "same.json");
  writeFileSync(file, text);
  return file;
}
