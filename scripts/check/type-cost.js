// Measures what inferred params cost the compiler: 600 handlers in 300 resources, against the same classes untyped.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const limit = 40_000;
const root = fileURLToPath(new URL("../..", import.meta.url));
const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");

const kinds = {
  static: { paths: (n) => [`/things${n}`], name: null },
  required: { paths: (n) => [`/things${n}/:id${n}`], name: (n) => `id${n}` },
  optional: { paths: (n) => [`/things${n}/:id${n}?`], name: (n) => `id${n}` },
  "three params": { paths: (n) => [`/orgs${n}/:org/repos/:repo/issues/:issue${n}`], name: (n) => `issue${n}` },
  "two patterns": { paths: (n) => [`/a${n}/:id${n}`, `/b${n}/:id${n}/:page?`], name: (n) => `id${n}` },
  constrained: { paths: (n) => [`/things${n}/:id${n}(\\d+)`], name: (n) => `id${n}` },
  affixed: { paths: (n) => [`/files${n}/:file${n}.:ext`], name: (n) => `file${n}` },
  expression: { paths: (n) => [`/images${n}/(.+\\.jpg)`], name: () => "0" },
  rest: { paths: (n) => [`/files${n}/:path${n}+`], name: (n) => `path${n}` },
};
const chains = {
  native: { alias: "RequestOf", use: (value) => `return new Response(${value});`, result: "Response" },
  polyfill: { alias: "ContextOf", use: (value) => `return ${value};`, result: "unknown" },
};

function moduleOf(chain, kindOf, isTyped) {
  const { alias, use, result } = chains[chain];
  const classes = Array.from({ length: 300 }, (_, n) => {
    const { paths, name } = kindOf(n);
    const value = name === null ? "input.params.pattern" : `input.params.pathParam(${JSON.stringify(name(n))})`;
    const type = isTyped ? `${alias}<Thing${n}>` : alias;
    const handler = (method) => `${method}(input: ${type}): ${result} { ${use(value)} }`;
    return `export class Thing${n} extends Resource {
      paths = ${JSON.stringify(paths(n))}${isTyped ? " as const" : ""};
      ${handler("GET")}
      ${handler("PUT")}
    }`;
  });
  return `import { Resource, type ${alias} } from "fingerpost/modules/http.${chain}.js";\n${classes.join("\n")}`;
}

function instantiations(text) {
  writeFileSync(join(scratch, "resources.ts"), text);
  const args = [compiler, "-p", scratch, "--extendedDiagnostics", "--singleThreaded", "--pretty", "false"];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`The resources do not compile:\n${stdout.slice(0, 1000)}`);
  return Number(/^Instantiations:\s+(\d+)/m.exec(stdout)[1]);
}

mkdirSync(join(root, "node_modules"), { recursive: true });
const scratch = mkdtempSync(join(root, "node_modules", ".type-cost-"));
writeFileSync(
  join(scratch, "tsconfig.json"),
  JSON.stringify({
    extends: join(root, "tsconfig.json"),
    compilerOptions: { types: [], paths: { "fingerpost/*.js": [join(root, "src/*.ts")] } },
    files: ["resources.ts"],
    include: [],
  }),
);

let isOver = false;
try {
  const all = Object.values(kinds);
  const mixes = [["all kinds", (n) => all[n % all.length]]];
  for (const [name, kind] of Object.entries(kinds)) mixes.push([name, () => kind]);
  for (const chain of Object.keys(chains)) {
    for (const [name, kindOf] of mixes) {
      const untyped = instantiations(moduleOf(chain, kindOf, false));
      const cost = instantiations(moduleOf(chain, kindOf, true)) - untyped;
      console.log(`type cost: ${chain}, 300 resources, ${name}: ${cost} instantiations of at most ${limit}`);
      isOver ||= cost > limit;
    }
  }
} finally {
  rmSync(scratch, { recursive: true });
}
process.exitCode = isOver ? 1 : 0;
