import { eventStream } from "fingerpost/native/content";
import * as native from "fingerpost/modules/http.native.js";
import { sessions, type SealedSession, type Session } from "fingerpost/sessions";
import { memorySessions } from "fingerpost/stores";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("streams of a session", () => {
  const schema = z.object({ user: z.string() });
  const times = { idleMs: 5_000, absoluteMs: 9_000 };

  /** A stream of events, and what signs in. */
  function applicationOf(session: native.Attribute<SealedSession<{ user: string }>>, Sessions: native.MiddlewareClass) {
    class Live extends native.Resource {
      paths = ["/live"];
      async POST(request: Request): Promise<Response> {
        await session.get(request).start({ user: "ada" });
        return new Response(null, { status: 204 });
      }
      GET(request: Request): Response {
        return eventStream(request, async function* (signal) {
          yield { data: session.get(request).data?.user ?? "nobody" };
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
        });
      }
    }
    return native.Application.builder().resources(Live).middleware(Sessions).build();
  }
  const kinds = {
    "in a store": () => {
      const session = new native.Attribute<Session<{ user: string }>>("session");
      return applicationOf(session as never, sessions({ session, schema, store: memorySessions(), ...times }));
    },
    sealed: () => {
      const session = new native.Attribute<SealedSession<{ user: string }>>("session");
      return applicationOf(session, sessions({ session, schema, secrets: ["s".repeat(32)], ...times }));
    },
  };

  it.each(Object.entries(kinds))("C20.11 ends at its absolute end, and not when it is idle: %s", async (_, make) => {
    const app = make();
    const begun = await app.request("/live", { method: "POST" });
    const cookie = begun.headers.getSetCookie()[0]!.split(";")[0]!;
    const [own, other] = await Promise.all(
      [cookie, ""].map(async (sent) => (await app.request("/live", { headers: { cookie: sent } })).body!.getReader()),
    );
    const decoder = new TextDecoder();
    for (const [reader, user] of [
      [own!, "ada"],
      [other!, "nobody"],
    ] as const) {
      let text = "";
      while (!text.includes("data: ")) text += decoder.decode((await reader.read()).value);
      expect(text).toContain(`data: ${user}`);
    }
    const over = own!.read();
    const state = (): Promise<unknown> => Promise.race([over, Promise.resolve("open")]);
    await vi.advanceTimersByTimeAsync(8_999);
    expect(await state()).toBe("open");
    await vi.advanceTimersByTimeAsync(1);
    expect(await state()).toEqual({ done: true, value: undefined });
    expect(await Promise.race([other!.read(), Promise.resolve("open")])).toBe("open");
    await other!.cancel();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("C20.11 has a date as its end, however late that is", async () => {
    for (const kind of [{ store: memorySessions() }, { secrets: ["s".repeat(32)] }]) {
      const session = new native.Attribute<Session<{ user: string }> & SealedSession<{ user: string }>>("session");
      const Sessions = sessions({ session, schema, absoluteMs: Number.MAX_SAFE_INTEGER, ...kind } as never);
      class Ends extends native.Resource {
        paths = ["/"];
        async GET(request: Request): Promise<Response> {
          await session.get(request).start({ user: "ada" });
          return Response.json(session.get(request).endsAt);
        }
      }
      const app = native.Application.builder().resources(Ends).middleware(Sessions).build();
      expect(await (await app.request("/")).json()).toBe(new Date(8.64e15).toISOString());
    }
  });
});
