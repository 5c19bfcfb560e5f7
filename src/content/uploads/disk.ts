import { isURL } from "../../http/javascript/any-realm.ts";
import type * as FileSystem from "node:fs";
import { hostOf } from "../../hosts/known-hosts.ts";
import { builtinModule } from "../../http/javascript/builtin-module.ts";
import { described } from "../../http/javascript/described.ts";
import type { Sink } from "../../formats/multipart/sink.ts";

/** After how long a file that is not complete belongs to a process that has ended, where nothing tells that before. */
const abandonedMs = 3_600_000;

/**
 * Makes a sink that stores files in a folder, each under a random name: `file` is where it is.
 *
 * A file appears under its name when all of it is on the disk. Before, it has a temporary name. Temporary files of
 * processes that have ended are deleted when this is called: on Linux at once, elsewhere and on Deno after an hour.
 *
 * @param folder the path of the folder, which is created if it does not exist. Do not serve it as it is.
 * @throws {TypeError} when this runtime has no file system.
 * @throws {Error} the system's error, when the folder cannot be created or read.
 * @example
 * ```ts
 * import { disk } from "fingerpost/files";
 *
 * const uploads = disk("./uploads");
 * ```
 */
export function disk(folder: string | URL): Sink<{ readonly file: string }> {
  const fs = builtinModule("node:fs") as typeof FileSystem | undefined;
  if (fs === undefined) {
    throw new TypeError("Cannot store files in a folder: this runtime has no node:fs; use another sink");
  }
  if (typeof folder !== "string" && !isURL(folder)) {
    throw new TypeError(`Cannot store files in a folder: expected a path, got ${described(folder)}`);
  }
  fs.mkdirSync(folder, { recursive: true });
  const root = fs.realpathSync(folder);
  const owner = ownProcess(fs);
  deleteAbandoned(fs, root, owner);
  const { open, rename, unlink } = fs.promises;
  return {
    async store({ content }, signal) {
      const id = crypto.randomUUID();
      const [temporary, path] = [`${root}/.${id}${owner}.part`, `${root}/${id}`];
      try {
        const file = await open(temporary, "wx");
        try {
          for await (const chunk of content) await writeWhole(file, chunk);
          await file.sync();
        } finally {
          await file.close();
        }
        signal.throwIfAborted();
        await rename(temporary, path);
      } catch (error) {
        // The folder may be gone, or the file was never created.
        fs.rmSync(temporary, { force: true });
        throw error;
      }
      await syncFolder();
      return { file: path };
    },
    async discard({ file }) {
      await unlink(file);
    },
  };

  /** The new name is on the disk then, too. */
  async function syncFolder(): Promise<void> {
    try {
      const opened = await open(root, "r");
      try {
        await opened.sync();
      } finally {
        await opened.close();
      }
    } catch {
      // Windows opens no folders, and needs none of this.
    }
  }
}

async function writeWhole(file: FileSystem.promises.FileHandle, chunk: Uint8Array): Promise<void> {
  for (let from = 0; from < chunk.length;) from += (await file.write(chunk, from, chunk.length - from)).bytesWritten;
}

function deleteAbandoned(fs: typeof FileSystem, root: string, own: string): void {
  const latest = Date.now() - abandonedMs;
  for (const name of fs.readdirSync(root)) {
    const found = temporaryName.exec(name);
    if (found === null) continue;
    // Another process may be quicker.
    const stats = fs.statSync(`${root}/${name}`, { throwIfNoEntry: false });
    if (stats === undefined || (stats.mtimeMs >= latest && !hasEnded(fs, found[1], own))) continue;
    fs.rmSync(`${root}/${name}`, { force: true });
  }
}

/** The name of a file, and of the process that writes it. */
const temporaryName = /^\.[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(\.[\da-f-]+\.\d+\.\d+\.\d+)?\.part$/;

/**
 * Names this process: the start of the machine, the namespace of process ids, the id, and when it began. So a folder
 * that machines or containers share tells the processes of one from those of another. Empty where the system has none
 * of it.
 */
function ownProcess(fs: typeof FileSystem): string {
  if (hostOf(globalThis).asksToRead === true) return "";
  try {
    const boot = fs.readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    const space = fs.readlinkSync("/proc/self/ns/pid").replaceAll(/\D/g, "");
    return `.${boot}.${space}.${process.pid}.${beginningOf(fs, process.pid)}`;
  } catch {
    return "";
  }
}

/** When a process began, in ticks of the machine. */
function beginningOf(fs: typeof FileSystem, pid: number | string): string {
  // The name of the process, which may have spaces and brackets, comes before its numbers.
  return fs.readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\)/s, "").split(" ")[20]!;
}

/** Returns whether a process has ended for sure. Of one on another machine, or in another container, nobody knows. */
function hasEnded(fs: typeof FileSystem, owner: string | undefined, own: string): boolean {
  const [boot, space, pid, began] = (owner ?? "").split(".").slice(1);
  if (owner === undefined || !own.startsWith(`.${boot}.${space}.`)) return false;
  try {
    process.kill(Number(pid), 0);
    return beginningOf(fs, pid!) !== began;
  } catch (error) {
    // A process of another user is there, too.
    return (error as { code?: unknown }).code === "ESRCH";
  }
}
