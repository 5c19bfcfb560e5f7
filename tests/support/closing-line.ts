import type { Reporter, TestModule } from "vitest/node";

/** Ends a run with one plain line of counts, so that a log's last line says how many tests ran. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      if (module.state() === "failed" && module.errors().length > 0) count.failed++;
      for (const test of module.children.allTests()) count[test.result().state]++;
    }
    console.log(`Tests: ${count.passed} passed, ${count.failed} failed, ${count.skipped + count.pending} skipped`);
  }
}
