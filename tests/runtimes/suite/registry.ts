// What tests import as "vitest" when they run on a runtime that vitest does not run on, or for a mutant: as much of its
// interface as they use, and a list of tests that any runtime can work off.
import { JestAsymmetricMatchers, JestChaiExpect, JestExtend, setState } from "@vitest/expect";
import { fn, restoreAllMocks, spyOn } from "@vitest/spy";
import { expect as chaiExpect, use } from "chai";
import { NotHere } from "./not-here.ts";

type Run = (...values: never[]) => unknown;
type Row = readonly unknown[];

interface Scope {
  readonly names: readonly string[];
  readonly parent: Scope | null;
  readonly hooks: Record<"beforeAll" | "beforeEach" | "afterEach" | "afterAll", Run[]>;
}

interface Test {
  readonly scope: Scope;
  readonly name: string;
  readonly run: Run;
}

/** What became of the tests of one file. */
export interface Outcome {
  passed: number;
  skipped: number;
  readonly failed: { readonly name: string; readonly error: string }[];
}

const patienceMs = 20_000;

let tests: Test[] = [];
let scopes: Scope[] = [];
let scope = scopeIn(null, []);
let finishing: Run[] = [];

/** Returns the tests registered since the last time. */
export function registered(): readonly Test[] {
  const found = tests;
  [tests, scopes, scope] = [[], [], scopeIn(null, [])];
  return found;
}

/** Works off the tests registered since the last time. */
export async function outcome(): Promise<Outcome> {
  const result: Outcome = { passed: 0, skipped: 0, failed: [] };
  const opened = scopes;
  for (const test of registered()) {
    try {
      await inTime(() => runOnce(test));
      result.passed++;
    } catch (error) {
      if (error instanceof NotHere) result.skipped++;
      else result.failed.push({ name: [...test.scope.names, test.name].join(" > "), error: textOf(error) });
    }
  }
  for (const { hooks } of opened) await all(hooks.afterAll);
  restoreAllMocks();
  return result;
}

/** Runs one test. */
export async function runOnce({ scope: place, run }: Test): Promise<void> {
  finishing = [];
  try {
    for (const { hooks } of lineageOf(place)) await all(hooks.beforeAll.splice(0));
    for (const { hooks } of lineageOf(place)) await all(hooks.beforeEach);
    await (run as () => unknown)();
  } finally {
    await all(finishing.toReversed());
    for (const { hooks } of lineageOf(place).toReversed()) await all(hooks.afterEach);
  }
}

async function all(hooks: readonly Run[]): Promise<void> {
  for (const hook of hooks) await (hook as () => unknown)();
}

async function inTime(run: () => Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${patienceMs} ms`)), patienceMs);
  });
  await Promise.race([run(), late]).finally(() => clearTimeout(timer));
}

function scopeIn(parent: Scope | null, names: readonly string[]): Scope {
  const made = { parent, names, hooks: { beforeAll: [], beforeEach: [], afterEach: [], afterAll: [] } };
  scopes.push(made);
  return made;
}

function lineageOf(place: Scope): Scope[] {
  return place.parent === null ? [place] : [...lineageOf(place.parent), place];
}

function textOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}\n${error.stack ?? ""}` : String(error);
}

/** Fills the places of a name: `%s` by the values of a row, `$name` by a property. */
function named(name: string, row: Row): string {
  let index = 0;
  return name
    .replace(/%[sdijo]/g, () => shown(row[index++]))
    .replace(/\$(\w+)/g, (whole, key: string) =>
      String((row[0] as Record<string, unknown> | undefined)?.[key] ?? whole),
    );
}

/** Text of any value, of an object without a prototype too. */
function shown(value: unknown): string {
  try {
    return String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}

const rowOf = (row: unknown): Row => (Array.isArray(row) ? row : [row]);

function describeOne(name: string, body: Run, row: Row = []): void {
  const outer = scope;
  scope = scopeIn(outer, [...outer.names, name]);
  (body as (...values: unknown[]) => unknown)(...row);
  scope = outer;
}

function add(name: string, run: Run, row: Row): void {
  tests.push({ scope, name, run: () => (run as (...values: unknown[]) => unknown)(...row) });
}

export const describe = Object.assign(describeOne, {
  each: (rows: readonly unknown[]) => (name: string, body: Run) => {
    for (const row of rows) describeOne(named(name, rowOf(row)), body, rowOf(row));
  },
  runIf: (runs: boolean): typeof describeOne => (runs ? describeOne : () => {}),
});

// How long a test may take is the same for all here.
type Body = [run: Run, patienceMs?: number] | [options: object, run: Run];
const runOf = ([first, second]: Body): Run => (typeof first === "function" ? first : second) as Run;

const itOne = (name: string, ...body: Body): void => add(name, runOf(body), []);

export const it = Object.assign(itOne, {
  each:
    (rows: readonly unknown[]) =>
    (name: string, ...body: Body) => {
      for (const row of rows) add(named(name, rowOf(row)), runOf(body), rowOf(row));
    },
  todo: (_name: string): void => {},
  skipIf: (skips: boolean): typeof itOne => (skips ? () => {} : itOne),
  runIf: (runs: boolean): typeof itOne => (runs ? itOne : () => {}),
});

export const beforeAll = (hook: Run): unknown => scope.hooks.beforeAll.push(hook);
export const beforeEach = (hook: Run): unknown => scope.hooks.beforeEach.push(hook);
export const afterEach = (hook: Run): unknown => scope.hooks.afterEach.push(hook);
export const afterAll = (hook: Run): unknown => scope.hooks.afterAll.push(hook);
/** The outcome of a test says why it failed, and nothing more. */
export const onTestFailed = (): void => {};
export const onTestFinished = (hook: Run): unknown => finishing.push(hook);

const stubbed = new Map<string, PropertyDescriptor | undefined>();

export const vi = {
  fn,
  spyOn,
  restoreAllMocks,
  mocked: <T>(mock: T): T => mock,
  stubGlobal(name: string, value: unknown): void {
    if (!stubbed.has(name)) stubbed.set(name, Object.getOwnPropertyDescriptor(globalThis, name));
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  },
  unstubAllGlobals(): void {
    for (const [name, own] of stubbed) {
      if (own === undefined) Reflect.deleteProperty(globalThis, name);
      else Object.defineProperty(globalThis, name, own);
    }
    stubbed.clear();
  },
  async waitFor<T>(run: () => T | Promise<T>): Promise<T> {
    for (let tries = 20; ; tries--) {
      try {
        return await run();
      } catch (error) {
        if (tries === 0) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  },
  resetModules(): never {
    throw new NotHere("modules that can be loaded afresh");
  },
  doMock(): never {
    throw new NotHere("modules that can be replaced");
  },
  useFakeTimers(): never {
    throw new NotHere("timers that a test sets");
  },
  doUnmock(): void {},
  useRealTimers(): void {},
};

for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) use(plugin);
use(({ Assertion }, { addMethod }) =>
  addMethod(Assertion.prototype, "toMatchInlineSnapshot", () => {
    throw new NotHere("snapshots");
  }),
);

type Assertions = ReturnType<typeof chaiExpect>;
type Expect = (value: unknown, message?: string) => Assertions;
export const expect: Expect = Object.assign(
  (value: unknown, message?: string) => chaiExpect(value, message),
  chaiExpect,
  {
    /** Asserts what will be true soon. */
    poll: (read: () => unknown): Assertions =>
      new Proxy({} as Assertions, {
        get: (_target, name: "toBe") => (expected: unknown) =>
          vi.waitFor(async () => expect(await read())[name](expected)),
      }),
  },
);
setState({ assertionCalls: 0, currentTestName: "" }, expect as never);

/** Types are compared by the compiler alone: whatever follows is a function that does nothing. */
export const expectTypeOf = (): unknown => anything;
const anything: unknown = new Proxy(() => anything, { get: () => anything });
