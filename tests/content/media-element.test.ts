// A media element of Chromium plays a file of a folder, and seeks in it. scripts/check/document-tools.js installs what
// that takes.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Application, Resource, Response } from "fingerpost/modules/http.native.js";
import { listener } from "fingerpost/node";
import { describe, expect, it, onTestFinished } from "vitest";
import { Files } from "../../src/content/files.ts";
import { folder, snapshot } from "../../src/content/folder.ts";
import { launchBrowser, missing } from "../openapi/tools.ts";
import { folderOf } from "./folders.ts";

if (missing !== null) console.warn(`Files are not tested with a media element: ${missing}`);

const seconds = 120;
const perSecond = 44_100 * 4;

/** Silence as a WAV file of two channels: long enough that no browser reads all of it before it seeks. */
function silence(): Uint8Array {
  const length = seconds * perSecond;
  const file = Buffer.alloc(44 + length);
  file.write("RIFF", 0, "latin1");
  file.writeUInt32LE(36 + length, 4);
  file.write("WAVEfmt ", 8, "latin1");
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(2, 22);
  file.writeUInt32LE(44_100, 24);
  file.writeUInt32LE(perSecond, 28);
  file.writeUInt16LE(4, 32);
  file.writeUInt16LE(16, 34);
  file.write("data", 36, "latin1");
  file.writeUInt32LE(length, 40);
  return file;
}

interface Asked {
  readonly range: string | undefined;
  readonly status: number;
}

/** Serves an application, and notes what is asked for the file. */
async function served(app: Parameters<typeof listener>[0]): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  const answer = listener(app);
  const server: Server = createServer((request, response) => {
    response.on("close", () => {
      if (request.url === "/media/tone.wav") asked.push({ range: request.headers.range, status: response.statusCode });
    });
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.closeAllConnections());
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

// Plays from the beginning, seeks, and plays from there.
const script = `new Promise((resolve, reject) => {
  const media = document.querySelector("audio");
  const played = (from) => new Promise((done) => {
    media.addEventListener("timeupdate", function update() {
      if (media.currentTime <= from) return;
      media.removeEventListener("timeupdate", update);
      done(media.currentTime);
    });
  });
  media.addEventListener("error", () => reject(new Error(media.error.message)));
  (async () => {
    await media.play();
    const first = await played(0);
    const seeked = new Promise((done) =>
      media.addEventListener("seeked", () => done(media.currentTime), { once: true }));
    media.currentTime = 100;
    const place = await seeked;
    const second = await played(100);
    media.pause();
    resolve({ duration: media.duration, first, place, second });
  })().catch(reject);
})`;

describe.skipIf(missing !== null)("a media element of Chromium", () => {
  it.each([
    ["folder", folder],
    ["snapshot", snapshot],
  ] as const)(
    "F7 plays a file of a %s, and seeks in it by a range",
    async (_, sourceOf) => {
      const root = folderOf({ "tone.wav": silence() });
      class Media extends Files {
        paths = ["/media/:path+"] as const;
        source = sourceOf(root);
      }
      class Player extends Resource {
        paths = ["/"] as const;
        GET(): Response {
          const html = '<audio src="/media/tone.wav" muted preload="auto"></audio>';
          return new Response(html, { headers: { "content-type": "text/html" } });
        }
      }
      const { url, asked } = await served(Application.builder().resources(Media, Player).build());
      const browser = await launchBrowser("--autoplay-policy=no-user-gesture-required");
      try {
        const page = await browser.newPage();
        await page.goto(url);
        const { duration, first, place, second } = await page.evaluate<Record<string, number>>(script);
        expect(duration).toBeCloseTo(seconds, 1);
        expect(first).toBeGreaterThan(0);
        expect(place).toBeCloseTo(100, 1);
        expect(second).toBeGreaterThan(100);
      } finally {
        await browser.close();
      }
      await expect.poll(() => asked.length).toBeGreaterThanOrEqual(2);
      expect(asked.map(({ status }) => status)).toEqual(asked.map(() => 206));
      // What the seek asked for begins in the middle of the file, and not far from where it leads.
      const starts = asked.map(({ range }) => Number(/^bytes=(\d+)-/.exec(range!)![1]));
      expect(starts.some((start) => start > 90 * perSecond && start < 101 * perSecond)).toBe(true);
    },
    60_000,
  );
});
