import { expect } from "./registry.ts";

/** Holds the globals against what they were before something ran: their properties, and those of their prototypes. */
export async function expectUntouched(run: () => Promise<void>): Promise<void> {
  // Has a runtime load what it loads late, such as the class `Request` of Node.
  await new Response(new Request("http://h/", { method: "POST", body: "x" }).body).text();
  // Deno gets another MessageChannel with the first module of Node, whoever asks for it.
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } };
  process?.getBuiltinModule?.("node:crypto");
  for (const key of Reflect.ownKeys(globalThis)) read(globalThis, key);
  const [earlier, before] = [snapshot(), snapshot()];
  await run();
  const after = snapshot();
  const names = new Set([...before.keys(), ...after.keys()]);
  // Some properties hold something new whenever they are read.
  const isSteady = (name: string): boolean => Object.is(earlier.get(name), before.get(name));
  const changed = [...names].filter((name) => isSteady(name) && !Object.is(after.get(name), before.get(name)));
  expect(changed.join(" "), "changed").toBe("");
}

function snapshot(): Map<string, unknown> {
  const values = new Map<string, unknown>();
  const visit = (name: string, owner: object): void => {
    for (const key of Reflect.ownKeys(owner)) {
      const { value, get, set } = Reflect.getOwnPropertyDescriptor(owner, key) ?? {};
      values.set(`${name}.${String(key)}`, get ?? value);
      values.set(`${name}.${String(key)}=`, set);
    }
  };
  visit("globalThis", globalThis);
  for (const key of Reflect.ownKeys(globalThis)) {
    const value = read(globalThis, key);
    if (!isObject(value) || value === globalThis) continue;
    visit(String(key), value);
    const prototype = read(value, "prototype");
    if (isObject(prototype)) visit(`${String(key)}.prototype`, prototype);
  }
  return values;
}

function read(owner: object, key: PropertyKey): unknown {
  try {
    return (owner as Record<PropertyKey, unknown>)[key];
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "function" || (typeof value === "object" && value !== null);
}
