// Turns the tests, which are TypeScript and import sources, into JavaScript that imports the packed package.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as esbuild from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));
const src = join(root, "src") + sep;
const packed = join(here, "node_modules/fingerpost/dist") + sep;

const examples = ["node", "bun", "deno", "srvx", "express", "fastify", "koa", "scale-out"];

const shared = {
  absWorkingDir: here,
  bundle: true,
  format: "esm",
  target: "es2022",
  // Not every runtime has an environment.
  define: {
    "globalThis.fingerpostRoundTrips": process.env.FINGERPOST_ROUND_TRIPS ?? "300",
    "globalThis.fingerpostRuns": process.env.FINGERPOST_RUNS ?? "500",
  },
  // Tests look at the names of classes, and Node, Bun and Deno would not need the `paths` of the sources.
  keepNames: true,
  tsconfigRaw: {},
  logLevel: "warning",
};

/** `import.meta.glob()` of Vite, by which tests find the rows of middleware: imports, one by one. */
const globs = {
  name: "import.meta.glob",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\bevery-row\.ts$/ }, ({ path }) => {
      const files = readdirSync(join(path, "../rows"));
      const imports = files.map((file, at) => `import * as row${at} from "./rows/${file}";`);
      const found = `{ ${files.map((file, at) => `"./rows/${file}": row${at}`).join(", ")} }`;
      const text = readFileSync(path, "utf8").replace(/import\.meta\.glob<.*>\(.*\)/, found);
      return { contents: [...imports, text].join("\n"), loader: "ts" };
    }),
};

const build = ({ plugins = [], ...options }) => esbuild.build({ ...shared, ...options, plugins: [globs, ...plugins] });

/** Writes the programs to `dist/`: for Node, for other runtimes (`.web`), and in one file for `workerd`. */
export async function bundle() {
  rmSync(join(here, "dist"), { recursive: true, force: true });
  await Promise.all([
    // Apart from the others, so that nothing of the package is loaded before it looks.
    ...program("globals", [suite("globals")], [suite("globals-of-servers")]),
    ...program("suite", onEach, onNode),
    build({
      // That of workerd is one file, written below.
      entryPoints: [
        "driver/main.ts",
        ...scriptsIn("servers").filter((file) => !/(?:workerd|agents)\.js$|heartbeat/.test(file)),
      ],
      outdir: "dist",
      entryNames: "[dir].[name]",
      platform: "node",
      packages: "external",
    }),
    // The examples, as they are.
    build({
      entryPoints: [...examples.map((name) => join(root, `examples/${name}/main.js`)), ...scriptsIn("hosts")],
      outbase: root,
      outdir: "dist",
      entryNames: "[dir].[name]",
      platform: "node",
      packages: "external",
    }),
    build({
      entryPoints: [join(root, "examples/workers/main.js")],
      outfile: "dist/examples/workers.workerd.js",
      plugins: [sources(false)],
    }),
    ...Object.entries({
      servers: "workerd",
      decisions: "decisions.workerd",
      sockets: "sockets.workerd",
      hibernation: "hibernation.workerd",
      stores: "stores.workerd",
    }).map(([name, entry]) =>
      build({
        entryPoints: [`servers/${entry}.js`],
        outfile: `dist/${name}.workerd.js`,
        plugins: [sources(false)],
      }),
    ),
    // Applications of examples, each with all that it needs.
    ...[
      ["agents", "servers.agents", {}],
      [
        "agents.workerd",
        "agents.workerd",
        { "process.env": '{"JWT_SECRET":"of tests alone, with 32 bytes and more"}' },
      ],
    ].map(([entry, name, define]) =>
      build({
        entryPoints: [`servers/${entry}.js`],
        outfile: `dist/${name}.js`,
        platform: "node",
        define: { ...shared.define, ...define, "import.meta.url": '"file:///bundle.js"' },
        plugins: [besideAgents, sources(false)],
      }),
    ),
  ]);
  const config = readFileSync(join(here, "shims/workerd.capnp"), "utf8");
  for (const name of ["globals", "suite", "servers", "decisions", "sockets", "examples/workers"]) {
    writeFileSync(join(here, `dist/${name}.capnp`), config.replace("NAME", name.replace("examples/", "")));
  }
  // Workers with the modules of Node.
  for (const [name, file] of Object.entries({ servers: "servers-compat", agents: "agents" })) {
    const compat = config
      .replace("NAME", name)
      .replace(/(?=compatibilityDate)/, 'compatibilityFlags = ["nodejs_compat"], ');
    writeFileSync(join(here, `dist/${file}.capnp`), compat);
  }
  // Objects with storage in SQLite, which is on disk.
  copyFileSync(join(here, "shims/stores.capnp"), join(here, "dist/stores.capnp"));
  mkdirSync(join(here, "dist/storage"));
  // Workers with Durable Objects.
  for (const [name, file] of Object.entries({ sockets: "sockets-object", hibernation: "hibernation" })) {
    const object = config.replace("NAME", name).replace(
      /(?=compatibilityDate)/,
      `bindings = [(name = "OBJECT", durableObjectNamespace = "Sockets")],
      durableObjectNamespaces = [(className = "Sockets", uniqueKey = "sockets")],
      durableObjectStorage = (inMemory = void),
      `,
    );
    writeFileSync(join(here, `dist/${file}.capnp`), object);
  }
}

/** Entries that need no server. */
const isOfLibrary = /^(?!\.\/(?:node|workers)$)/;

function program(name, files, filesForNode) {
  const to = (suffix, entry, ...plugins) =>
    build({ entryPoints: [entry], outfile: `dist/${name}${suffix}.js`, plugins });
  return [
    to("", "shims/suite.js", virtual([...files, ...filesForNode], /./), sources(true), nodeModules, places),
    to(".web", "shims/suite.js", virtual(files, isOfLibrary), zlib, standIns, sources(true)),
    to(".workerd", "shims/suite.workerd.js", virtual(files.filter(isOfTheWeb), isOfLibrary), standIns, sources(false)),
  ];
}

/** Modules that hold no more than lists of other modules, each loaded when its turn comes. */
function virtual(files, entries) {
  const list = (specifiers) => specifiers.map((specifier) => `() => import(${JSON.stringify(specifier)})`);
  // Those that call the collector of garbage come first, as long as it has little to look through.
  const ordered = files.toSorted((one, other) => Number(collects(other)) - Number(collects(one)));
  const tests = ordered.map((file) => `[${JSON.stringify(nameOf(file))}, ${list([join(root, file)])}]`);
  const contents = {
    suite: `import { run } from "./suite/run.ts"; export const results = () => run([${tests}]);`,
    entries: `export const entries = [${list(
      entriesOfPackage()
        .filter((entry) => entries.test(entry))
        .map((entry) => "fingerpost" + entry.slice(1)),
    )}];`,
  };
  return {
    name: "virtual modules",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^virtual:/ }, ({ path }) => ({ path: path.slice("virtual:".length), namespace: "virtual" }));
      onLoad({ filter: /./, namespace: "virtual" }, ({ path }) => ({ contents: contents[path], resolveDir: here }));
      onResolve({ filter: /^vitest$/ }, () => ({ path: join(here, "suite/registry.ts") }));
    },
  };
}

/** The modules that the package exports, but for those that need a package of somebody else. */
function entriesOfPackage() {
  const exports = exportsOfPackage();
  const needsOthers = (file) =>
    /\bfrom "(?!\.|node:)/.test(readFileSync(join(here, "node_modules/fingerpost", file), "utf8"));
  return Object.keys(exports).filter(
    (entry) =>
      typeof exports[entry].default === "string" &&
      // What the SDK of MCP loads of Node is its own.
      entry !== "./mcp" &&
      existsSync(join(here, "node_modules/fingerpost", exports[entry].default)) &&
      !needsOthers(exports[entry].default),
  );
}

function exportsOfPackage() {
  return JSON.parse(readFileSync(join(here, "node_modules/fingerpost/package.json"), "utf8")).exports;
}

function testsIn(folder) {
  return readdirSync(join(root, folder))
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => `${folder}/${file}`);
}

const textOf = (file) => readFileSync(join(root, file), "utf8");
const suite = (name) => `tests/runtimes/suite/${name}.ts`;
const inMiddleware = (...names) => names.map((name) => `tests/middleware/${name}.test.ts`);

// Files, processes, or a tool that itself needs Node, and packages of others: these are those of the root.
const needsNode = (file) =>
  /"(?:node:(?:fs|child_process|vm|v8)|\.\.\/support\/document-validators\.ts|jose|rate-limiter-flexible|@opentelemetry\/.+|srvx)"/.test(
    textOf(file),
  );
// No module is loaded afresh here.
const loadsOnce = (file) => !/\bvi\.(?:doMock|resetModules)\(/.test(textOf(file));
const inHTTP = ["javascript", "protocol", "message"].map((folder) => `src/http/${folder}`);
// What HTTP is made of, and the middleware: each runtime has classes and streams of its own.
const parts = [...inHTTP, "src/fields", "src/dispatch", "src/middleware", "src/middleware/lib"]
  .flatMap(testsIn)
  .filter(loadsOnce);
const middleware = inMiddleware("stack", "table", "decompress");
const security = ["guards", "hostile-suite"].map((name) => `tests/security/${name}.test.ts`);
const contract = testsIn("tests/contract").filter((file) => !needsNode(file));

// What is kept, sent, patched and addressed: each runtime has digests, sockets, timers and fields of its own.
const kept = [
  ...["idempotency", "kept-names", "silent-stores", "webhooks"].map((name) => `src/state/${name}.test.ts`),
  ...["attacked", "fingerprint"].map((name) => `src/writes/${name}.test.ts`),
  ...["connection", "shared-topics"].map((name) => `src/sockets/${name}.test.ts`),
  ...["lines", "events", "pages"].map((name) => `src/client/client-${name}.test.ts`),
  "src/json-schema/value/json-patch.test.ts",
  "src/semantics/addressed.test.ts",
];

const { FINGERPOST_ONLY = "." } = process.env;
const onEach = [
  suite("cases"),
  suite("stores"),
  ...[
    "tests/properties/access.test.ts",
    ...contract,
    ...middleware,
    ...security,
    ...[...parts, ...kept].filter((file) => !needsNode(file)),
  ].filter((file) => new RegExp(FINGERPOST_ONLY).test(file)),
];
// Node alone has a server, and over a socket a collector of garbage that a test can call.
const onNode = [
  // Proxies in front of a server are tried once.
  ...["src/servers", "src/servers/node", "tests/servers"]
    .flatMap(testsIn)
    .filter((file) => loadsOnce(file) && !file.endsWith("/proxies.test.ts")),
  ...inMiddleware("copies", "table-over-sockets", "over-sockets", "stack-on-node", "tags-of-codings"),
  ...parts.filter(needsNode),
];
// workerd has nothing of Node.
const isOfTheWeb = (file) =>
  !(parts.includes(file) || kept.includes(file)) ||
  !/"node:(?:zlib|crypto)"|\b(?:process|Buffer)[.,"]|\bsetImmediate\b/.test(textOf(file));
const collects = (file) => /\bgc\b/.test(textOf(file));
const scriptsIn = (folder) =>
  readdirSync(join(here, folder))
    .filter((file) => file.endsWith(".js"))
    .map((file) => `${folder}/${file}`);
const nameOf = (file) => file.replace(/^(?:tests|src)\/(?:runtimes\/suite\/)?/, "").replace(/(?:\.test)?\.ts$/, "");

const outside = (...filters) => ({
  name: "modules that stay outside",
  setup({ onResolve }) {
    for (const filter of filters) onResolve({ filter }, ({ path }) => ({ path, external: true }));
  },
});
const nodeModules = outside(/^node:/, /^(?:jose|rate-limiter-flexible|@opentelemetry\/.+|srvx|esbuild|ws)$/);
// Bun and Deno compress as Node does.
const zlib = outside(/^node:(?:zlib|crypto)$/);

// Tests that look at files find them where the tests themselves are.
const places = {
  name: "places of tests",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.test\.ts$/ }, ({ path }) => {
      const contents = readFileSync(path, "utf8").replaceAll(
        "import.meta.url",
        JSON.stringify(pathToFileURL(path).href),
      );
      return { contents, loader: "ts" };
    }),
};

const standIns = {
  name: "stand-ins",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^node:|^fingerpost\/(?:node|workers)$/ }, () => ({
      path: join(here, "suite/node-stand-in.cjs"),
    })),
};

const besideAgents = {
  name: "stand-ins for databases and folders",
  setup({ onResolve }) {
    const filter =
      /^(?:@electric-sql\/pglite|@node-rs\/argon2|postgres|@redis\/client|rate-limiter-flexible|fingerpost\/folder)$/;
    onResolve({ filter }, () => ({ path: join(here, "shims/beside-agents.js") }));
  },
};

/** The file of the package that has what a source exports, with what else is needed together (decisions/026). */
function holderOf(source) {
  const declared = /^export (?:abstract |async )?(?:class|const|function\*?|let) (\w+)/gm;
  const names = Array.from(
    readFileSync(src + source.replace(/js$/, "ts"), "utf8").matchAll(declared),
    ([, name]) => name,
  );
  const files = ["shared.js", "uploads.js", "operations.js", "semantics.js"];
  // Both modules have a class of the name Resource.
  const isOfCore = /^(?:application|dispatch|http|routing)\//.test(source);
  const holder = (isOfCore ? ["core.js", ...files] : [...files, "core.js"]).find((file) => {
    const [, list] = /^export \{([^}]*)\};\s*$/m.exec(readFileSync(packed + file, "utf8"));
    return names.every((name) => new RegExp(`\\b${name}\\b`).test(list));
  });
  if (holder === undefined) throw new Error(`No file of the package has what ${source} exports`);
  return holder;
}

/** Whatever would be imported from the sources comes from the packed package. */
function sources(isExternal) {
  const packedAs = (source) => {
    const name = existsSync(packed + source) ? source : holderOf(source);
    return isExternal ? { path: `../node_modules/fingerpost/dist/${name}`, external: true } : { path: packed + name };
  };
  return {
    name: "sources",
    setup({ onResolve }) {
      onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir }) => {
        const target = join(resolveDir, path);
        if (!target.startsWith(src) || target.endsWith(".test.ts")) return undefined;
        return packedAs(target.slice(src.length).replace(/\.ts$/, ".js"));
      });
      onResolve({ filter: /^fingerpost(?:\/|$)/ }, ({ path }) => {
        const entry = exportsOfPackage()[path.replace("fingerpost", ".")];
        if (isExternal) return { path, external: true };
        return entry === undefined
          ? packedAs(path.slice("fingerpost/".length))
          : { path: join(here, "node_modules/fingerpost", entry.default) };
      });
    },
  };
}
