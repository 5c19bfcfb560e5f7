import { cpus, totalmem } from "node:os";

/** The machine that results are of, in one line. */
export function machine() {
  const [{ model }] = cpus();
  return (
    `${model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform} ` +
    `${process.arch}`
  );
}
