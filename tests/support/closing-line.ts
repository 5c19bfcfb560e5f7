import type { Reporter, TestModule, Vitest } from "vitest/node";

/** Ends a run with one plain line of counts, so that a log's last line says how many tests ran. */
export default class ClosingLine implements Reporter {
  #vitest: Vitest | undefined;
  #line = "";

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      if (module.state() === "failed" && module.errors().length > 0) count.failed++;
      for (const test of module.children.allTests()) count[test.result().state]++;
    }
    this.#line = `Tests: ${count.passed} passed, ${count.failed} failed, ${count.skipped + count.pending} skipped`;
    const { config, state } = this.#vitest!;
    // Coverage is reported after this, unless a test has failed.
    if (!config.coverage.enabled || state.getCountOfFailedTests() > 0) console.log(this.#line);
  }

  onFinishedReportCoverage(): void {
    console.log(this.#line);
  }
}
