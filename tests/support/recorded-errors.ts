// Writes down what errors of the sources say in a run, where FINGERPOST_MESSAGES names a folder:
// scripts/check/messages.js compares that with the catalog in tests/package/errors/.
const folder = (globalThis as { process?: { env: Record<string, string | undefined> } }).process?.env[
  "FINGERPOST_MESSAGES"
];

if (folder !== undefined) {
  const [{ writeFileSync }, { join }, { afterAll }] = await Promise.all([
    import("node:fs"),
    import("node:path"),
    import("vitest"),
  ]);
  const said = new Set<string>();
  const { Error: Plain } = globalThis;
  Reflect.set(globalThis, Symbol.for("fingerpost.said"), said);

  for (const name of ["Error", "TypeError", "RangeError", "SyntaxError", "DOMException"] as const) {
    const Platform = globalThis[name] as new (...args: unknown[]) => Error;
    const Recording: typeof Platform = new Proxy(Platform, {
      construct(target, args, newTarget: new () => object) {
        const error = Reflect.construct(target, args, newTarget === Recording ? target : newTarget) as Error;
        // What tests make to compare with is nothing that the sources say.
        const made = newTarget === Recording ? null : newTarget.name;
        if (isOfSources(new Plain().stack ?? "", made))
          said.add(args.filter((arg) => typeof arg === "string").join(" "));
        return error;
      },
    });
    Object.defineProperty(Platform.prototype, "constructor", { value: Recording });
    Object.defineProperty(globalThis, name, { value: Recording });
  }

  // A refusal of the framework runs no constructor: its message is set on what was made from the prototype.
  const { create } = Object;
  Object.create = ((prototype: object | null, ...rest: [PropertyDescriptorMap & ThisType<unknown>]): unknown => {
    const made = create(prototype, ...rest) as object;
    if (prototype !== null && Symbol.for("fingerpost.HTTPError") in prototype) {
      Object.defineProperty(made, "message", {
        configurable: true,
        set(value: string) {
          said.add(value);
          Object.defineProperty(made, "message", { value, configurable: true, enumerable: true, writable: true });
        },
      });
    }
    return made;
  }) as typeof Object.create;

  /**
   * Whether an error is made in the sources: by the function that is nearest, but for the constructor of its own class.
   */
  function isOfSources(stack: string, made: string | null): boolean {
    const frames = stack.split("\n").filter((line) => /^\s+at /.test(line));
    const isOwn = (line: string): boolean => made !== null && line.includes(`at new ${made} `);
    const caller = frames.find((line) => !/recorded-errors|at Reflect\.construct/.test(line) && !isOwn(line));
    // Refusals of requests have no stack, and nobody else is so sparing.
    return caller === undefined || (caller.includes("/src/") && !caller.includes(".test.ts"));
  }

  afterAll(() => {
    writeFileSync(join(folder, `${process.pid}-${performance.now()}.json`), JSON.stringify([...said]));
  });
}

/** Adds what a process of its own has said of errors. */
export function addSaid(text: string): void {
  (Reflect.get(globalThis, Symbol.for("fingerpost.said")) as Set<string> | undefined)?.add(text);
}
