const files = {
  fingerpost: ["fingerpost", "fingerpost"],
  "fingerpost fetch": ["fingerpost", "fingerpostFetch"],
  "fingerpost polyfill": ["fingerpost", "fingerpostPolyfill"],
  ...(process.env.BENCH_BEFORE ? { "fingerpost before": ["fingerpost", "fingerpostBefore"] } : {}),
  elysia: ["elysia", "elysia"],
  hono: ["hono", "hono"],
  h3: ["h3", "h3"],
  "itty-router": ["itty-router", "ittyRouter"],
  "@remix-run/fetch-router": ["fetch-router", "fetchRouter"],
};

export const appNames = Object.keys(files);

/** Loads the adapter of one framework, and no other: what is in the process besides would be measured with it. */
export async function appOf(name) {
  const [file, exported] = files[name];
  const module = await import(new URL(`../apps/${file}.js`, import.meta.url).href);
  return { name, ...module[exported] };
}
