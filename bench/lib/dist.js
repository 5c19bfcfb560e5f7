import { pathToFileURL } from "node:url";

const folderOf = (path) => path && new URL(`${pathToFileURL(path).href.replace(/\/$/, "")}/`);

/** The build that is measured: `dist/`, or what `BENCH_DIST` names. */
export const dist = folderOf(process.env.BENCH_DIST) ?? new URL("../../dist/", import.meta.url);

/** A build to compare it with, which `BENCH_BEFORE` names. */
export const before = folderOf(process.env.BENCH_BEFORE);
