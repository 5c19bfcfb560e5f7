import { describe, expect, it } from "vitest";
import { z } from "zod";
import { events } from "../declared-events.ts";
import { bytes, text, written } from "./raw-content.ts";

const [pieces, open, sending] = [expect.any(Function), expect.any(Function), expect.any(Object)];

describe("bytes()", () => {
  it("declares a media type and a bound", () => {
    expect(bytes()).toEqual({ kind: "bytes", type: "application/octet-stream", pieces, open, sending });
    expect(bytes("image/png", { maxBytes: 5_000_000 })).toEqual({
      kind: "bytes",
      type: "image/png",
      maxBytes: 5_000_000,
      pieces,
      open,
      sending,
    });
  });
});

describe("text()", () => {
  it("declares a media type and a bound", () => {
    expect(text()).toEqual({ kind: "text", type: "text/plain", pieces, open, sending });
    expect(text("text/markdown", { maxBytes: 100 })).toEqual({
      kind: "text",
      type: "text/markdown",
      maxBytes: 100,
      pieces,
      open,
      sending,
    });
  });
});

describe("written()", () => {
  it("declares a media type and how it is written", () => {
    const csv = written("text/csv", (rows: readonly string[]) => rows.join("\n"));
    expect(csv).toEqual({ kind: "written", type: "text/csv", write: expect.any(Function), sending });
    expect(csv.write(["a", "b"])).toBe("a\nb");
  });
});

describe("events()", () => {
  it("declares the schema of the data", () => {
    const schema = z.object({ cents: z.int() });
    expect(events(schema).schema).toBe(schema);
    expect(events(schema)).toMatchObject({ kind: "events", type: "text/event-stream" });
  });
});

it("raw kinds cannot be changed", () => {
  for (const kind of [bytes(), text(), written("text/csv", String), events(z.string())])
    expect(Object.isFrozen(kind)).toBe(true);
});
