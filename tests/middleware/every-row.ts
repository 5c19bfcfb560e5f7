/// <reference types="vite/types/importMeta.d.ts" />
import type { MiddlewareRow } from "./middleware-row.ts";

// The bundler of other runtimes writes imports in its place: tests/runtimes/bundle.js.
const found = import.meta.glob<{ readonly row: MiddlewareRow }>("./rows/*.ts", { eager: true });

/** The rows of `rows/`, by the name of the middleware. */
export const everyRow: ReadonlyMap<string, MiddlewareRow> = new Map(
  Object.entries(found).map(([file, { row }]) => [file.replace(/^\.\/rows\/(.+)\.ts$/, "$1"), row]),
);
