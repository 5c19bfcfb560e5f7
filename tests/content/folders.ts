import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished, vi } from "vitest";
import type { FoundFile } from "../../src/content/file-source.ts";

/**
 * Makes a folder of files, which is gone when the test is over. All files are a minute old: nobody can set when the
 * system saw them change, so the clock is a minute ahead meanwhile.
 */
export function folderOf(files: Readonly<Record<string, string | Uint8Array>>): string {
  if (!vi.isMockFunction(Date.now)) {
    const now = Date.now.bind(Date);
    const clock = vi.spyOn(Date, "now").mockImplementation(() => now() + 60_000);
    onTestFinished(() => void clock.mockRestore());
  }
  const root = realpathSync(mkdtempSync(join(tmpdir(), "fingerpost-files-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) put(join(root, path), content);
  return root;
}

/** Writes a file that is some seconds old. */
export function put(path: string, content: string | Uint8Array, seconds = 60): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  age(path, seconds);
}

/** Makes a file some seconds old. */
export function age(path: string, seconds: number): void {
  const time = Date.now() / 1000 - seconds;
  utimesSync(path, time, time);
}

/** Reads a file from beginning to end, or a part of it, and closes it. */
export async function contentOf(stored: FoundFile, start = 0, end: number = stored.length): Promise<string> {
  const decoder = new TextDecoder();
  try {
    const content = stored.read(start, end);
    if (content instanceof Uint8Array) return decoder.decode(content);
    let text = "";
    for await (const part of content as AsyncIterable<Uint8Array>) text += decoder.decode(part, { stream: true });
    return text;
  } finally {
    await stored.close();
  }
}

/** Which descriptors of this process are of files below a folder. */
export function openBelow(root: string): string[] {
  return readdirSync("/proc/self/fd").flatMap((descriptor) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${descriptor}`);
      return path.startsWith(root) ? [path] : [];
    } catch {
      // The one by which the folder was read is gone already.
      return [];
    }
  });
}

/** How many descriptors this process has. */
export function descriptorCount(): number {
  return readdirSync("/proc/self/fd").length;
}
