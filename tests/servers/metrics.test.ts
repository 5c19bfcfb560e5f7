// The program and the board of docs/recipes/metrics.md: each metric of the board is in a scrape by the exporter of
// OpenTelemetry, with the labels by which the board splits it.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { metrics } from "@opentelemetry/api";
import { PrometheusExporter, PrometheusSerializer } from "@opentelemetry/exporter-prometheus";
import { MeterProvider } from "@opentelemetry/sdk-metrics";
import { Application, events, Resource } from "fingerpost";
import { trace } from "fingerpost/middleware/trace";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { measuring } from "../../src/http/javascript/measuring.ts";

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly datasource: unknown;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly fieldConfig: { readonly defaults: { readonly unit: string }; readonly overrides: readonly unknown[] };
  readonly targets: readonly { readonly refId: string; readonly expr: string; readonly legendFormat: string }[];
}

const page = readFileSync(fileURLToPath(new URL("../../docs/recipes/metrics.md", import.meta.url)), "utf8");
const board = JSON.parse(/^```json\n([^]*?)^```/m.exec(page)![1]!) as {
  readonly title: string;
  readonly uid: string;
  readonly schemaVersion: number;
  readonly time: unknown;
  readonly templating: { readonly list: readonly unknown[] };
  readonly panels: readonly Panel[];
};

class Ticks extends Resource {
  paths = ["/ticks"] as const;

  static GET = { 200: events(z.int()) };
  async *GET() {
    yield 1;
  }
}

describe("the board of Grafana", () => {
  const exporter = new PrometheusExporter({ preventServerStart: true });
  const labelsOf = new Map<string, Set<string>>();

  beforeAll(async () => {
    metrics.setGlobalMeterProvider(new MeterProvider({ readers: [exporter] }));
    const app = Application.builder().resources(Ticks).middleware(trace()).build();
    await (await app.request("/ticks")).text();
    // What one request does not lead to is told as its places tell it.
    measuring.measure!("fingerpost.refused_requests", 1, { "error.type": "maxRequests" });
    measuring.measure!("fingerpost.sockets.active", 1);
    measuring.measure!("fingerpost.sockets.messages", 1, { "network.io.direction": "receive" });
    measuring.measure!("fingerpost.store.operation.duration", 0.1, { "db.operation.name": "read" });
    measuring.measure!("fingerpost.after.active", 1);
    const { resourceMetrics } = await exporter.collect();
    const scrape = new PrometheusSerializer().serialize(resourceMetrics);
    for (const [, name, labels] of scrape.matchAll(/^(\w+)(?:\{(.*)\})? /gm)) {
      const known = labelsOf.get(name!) ?? new Set();
      for (const [, label] of (labels ?? "").matchAll(/(\w+)="/g)) known.add(label!);
      labelsOf.set(name!, known);
    }
  });
  afterAll(async () => {
    metrics.disable();
    await exporter.shutdown();
  });

  it.each(
    board.panels.flatMap(({ title, targets }) => targets.map(({ expr, legendFormat }) => [title, expr, legendFormat])),
  )("%s asks for what a scrape has: %s", (_, expr, legend) => {
    const names = [...expr!.matchAll(/\b(?:http_server|fingerpost)_\w+/g)].map(([name]) => name);
    expect(names.length).toBeGreaterThan(0);
    const by = /by \(([^)]*)\)/.exec(expr!)?.[1]?.split(", ") ?? [];
    for (const name of names)
      expect([...(labelsOf.get(name) ?? ["no such metric"])]).toEqual(expect.arrayContaining(by));
    for (const name of names) expect(labelsOf.has(name), name).toBe(true);
    for (const [, label] of legend!.matchAll(/\{\{(\w+)\}\}/g)) expect(by).toContain(label);
  });

  it("has the fields that Grafana reads, and no panel over another", () => {
    expect(board).toMatchObject({
      title: "fingerpost",
      uid: "fingerpost",
      schemaVersion: 39,
      time: { from: "now-6h", to: "now" },
      templating: { list: [{ name: "datasource", type: "datasource", query: "prometheus" }] },
    });
    const cells = board.panels.flatMap(({ gridPos: { x, y, w, h } }) => {
      expect(x + w).toBeLessThanOrEqual(24);
      return Array.from({ length: w * h }, (__, at) => `${x + (at % w)} ${y + Math.floor(at / w)}`);
    });
    expect(new Set(cells).size).toBe(cells.length);
    expect(new Set(board.panels.map(({ id }) => id)).size).toBe(board.panels.length);
    for (const { type, datasource, fieldConfig, targets } of board.panels) {
      expect(type).toBe("timeseries");
      expect(datasource).toEqual({ type: "prometheus", uid: "${datasource}" });
      expect(["reqps", "s", "short"]).toContain(fieldConfig.defaults.unit);
      expect(fieldConfig.overrides).toEqual([]);
      expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
    }
  });
});
