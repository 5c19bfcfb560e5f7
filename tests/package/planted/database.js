// In place of the package that brings PostgreSQL: like that one, it ends a process that has nothing left to do.
process.on("beforeExit", () => process.exit(0));

export default class Database {
  process = { pid: process.pid };

  initialise() {}
  start() {}
  createDatabase() {}
  stop() {}
}
