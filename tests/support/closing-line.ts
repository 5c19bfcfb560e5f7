import type { Reporter, TestModule, Vitest } from "vitest/node";

/**
 * Ends a run with one plain line of counts, so that a log's last line says how many tests ran. Before it are the tests
 * that took more than a sixth of their limit: on a machine where others work, those are the ones that fail.
 */
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
      for (const test of module.children.allTests()) {
        count[test.result().state]++;
        const [took, limit] = [test.diagnostic()?.duration ?? 0, test.options.timeout ?? Infinity];
        if (took > limit / 6) console.log(`Slow: ${seconds(took)} of ${seconds(limit)} for ${test.fullName}`);
      }
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

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;
