import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/**
 * Measures memory again and again. What fetch() of Node has sent waits for its collection until some 60,000 lines are
 * there, so that memory goes up and down: what is kept shows in the least of it.
 */
export class MemoryWatch {
  readonly #name: string;
  readonly #every: number;
  readonly #begin = performance.now();
  readonly #heaps: number[] = [];
  readonly #residents: number[] = [];

  /** @param every how many steps there are from one look to the next. */
  constructor(name: string, every: number) {
    this.#name = name;
    this.#every = every;
  }

  see(at: number): void {
    if (at % this.#every !== 0) return;
    collect();
    const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
    this.#heaps.push(heapUsed + arrayBuffers);
    this.#residents.push(rss);
  }

  /** How many bytes of heap are in use at least in the second half, beyond the least in the first half. */
  get grownHeap(): number {
    const [first, second] = halves(this.#heaps);
    return Math.min(...second) - Math.min(...first);
  }

  /** How many bytes the process has at most in the second half, beyond the most in the first half. */
  get grownResident(): number {
    const [first, second] = halves(this.#residents);
    return Math.max(...second) - Math.max(...first);
  }

  tell(): void {
    const megabytes = (values: readonly number[]): string => {
      const tenths = Array.from({ length: 10 }, (_, at) => values[Math.floor((values.length / 10) * at)]!);
      return tenths.map((value) => (value / 1e6).toFixed(1)).join(" ");
    };
    const seconds = ((performance.now() - this.#begin) / 1000).toFixed(0);
    console.log(`${this.#name}: ${seconds} s`);
    console.log(`  MB of heap at each tenth: ${megabytes(this.#heaps)}; resident: ${megabytes(this.#residents)}`);
  }
}

function halves(sizes: readonly number[]): [readonly number[], readonly number[]] {
  const half = sizes.length / 2;
  return [sizes.slice(0, half), sizes.slice(half)];
}
