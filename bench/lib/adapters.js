export const ownName = "fingerpost";

/** Where the adapter of each router is; a file is loaded only for a router that is measured. */
const files = {
  [ownName]: "fingerpost",
  ...(process.env.BENCH_BEFORE ? { "fingerpost before": "fingerpost-before" } : {}),
  memoirist: "memoirist",
  "find-my-way": "find-my-way",
  "find-my-way compile()": "find-my-way-compiled",
  rou3: "rou3",
  "rou3 compiled": "rou3-compiled",
  "hono RegExpRouter": "hono-reg-exp-router",
  "hono TrieRouter": "hono-trie-router",
  "@medley/router": "medley",
  "koa-tree-router": "koa-tree-router",
  radix3: "radix3",
  ...("URLPattern" in globalThis ? { "native URLPattern": "urlpattern-native" } : {}),
};

export const adapterNames = Object.keys(files);

/** Those that take microseconds, and the caches of the others with them: they are measured apart. */
export const slowNames = adapterNames.slice(adapterNames.indexOf("radix3"));

/** All others but ours. */
export const fastNames = adapterNames.filter((name) => name !== ownName && !slowNames.includes(name));

export async function adapterOf(name) {
  const { router } = await import(new URL(`../peers/${files[name]}.js`, import.meta.url).href);
  return { name, ...router };
}

/**
 * The routers that a list of names asks for, ours first: `find-my-way` is both of its forms, no list is all that are
 * not slow. A name with a question mark need not be there.
 */
export function adaptersOf(names) {
  const wanted = (names?.split(",") ?? fastNames).map((name) => name.replace("?", ""));
  for (const name of wanted) {
    if (!names?.includes(`${name}?`) && !adapterNames.some((known) => known.startsWith(name)))
      throw new Error(`There is no peer "${name}"`);
  }
  const chosen = adapterNames.filter((name) => name === ownName || wanted.some((start) => name.startsWith(start)));
  return Promise.all(chosen.map(adapterOf));
}

export function fileOf(name) {
  return files[name];
}
