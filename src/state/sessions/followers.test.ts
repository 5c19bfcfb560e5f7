import { describe, expect, it, vi } from "vitest";
import { Inbox } from "../../content/inbox.ts";
import type { ProcessFeed } from "../../http/message/process-feed.ts";
import { Followers, type Follower } from "./followers.ts";

function following(followers: Followers, key: string, owner: string | null = null): Follower {
  const follower: Follower = { key, owner, end: vi.fn<() => void>(() => followers.delete(follower)) };
  followers.add(follower);
  return follower;
}

describe("Followers", () => {
  it("ends those of a session, and no others", async () => {
    const followers = new Followers();
    const [one, two, other] = [following(followers, "a"), following(followers, "a"), following(followers, "b")];
    await followers.end("a");
    await followers.end("a");
    followers.delete(one);
    expect([one, two, other].map(({ end }) => vi.mocked(end).mock.calls.length)).toEqual([1, 1, 0]);
  });

  it("ends those of an owner, but for one session", async () => {
    const followers = new Followers();
    const all = [
      following(followers, "a", "ada"),
      following(followers, "b", "ada"),
      following(followers, "c", "eve"),
      following(followers, "d"),
    ];
    await followers.endOwner("ada", "b");
    expect(all.map(({ end }) => vi.mocked(end).mock.calls.length)).toEqual([1, 0, 0, 0]);
    await followers.endOwner("ada", null);
    expect(all.map(({ end }) => vi.mocked(end).mock.calls.length)).toEqual([1, 1, 0, 0]);
  });
});

/** A feed of processes that share an inbox. What is sent goes by JSON, as between processes. */
function feedOf(inbox = new Inbox<unknown>()): ProcessFeed & { readonly inbox: Inbox<unknown> } {
  return { inbox, send: async (data) => inbox.send(JSON.parse(JSON.stringify(data))) };
}

const ends = (all: readonly Follower[]): number[] => all.map(({ end }) => vi.mocked(end).mock.calls.length);

describe("Followers with a feed", () => {
  it("ends those of other processes", async () => {
    const feed = feedOf();
    const [here, there] = [new Followers(feed), new Followers(feed)];
    const all = [following(here, "a"), following(there, "a"), following(there, "b"), following(here, "c", "ada")];
    all.push(following(there, "d", "ada"), following(there, "e", "ada"));
    await there.end("a");
    await vi.waitFor(() => expect(ends(all)).toEqual([1, 1, 0, 0, 0, 0]));
    await there.endOwner("ada", "e");
    await vi.waitFor(() => expect(ends(all)).toEqual([1, 1, 0, 1, 1, 0]));
    await there.endOwner("ada", null);
    await vi.waitFor(() => expect(ends(all)).toEqual([1, 1, 0, 1, 1, 1]));
  });

  it("listens once, from the first connection on", async () => {
    const feed = feedOf();
    const listen = vi.spyOn(feed.inbox, "listen");
    const followers = new Followers(feed);
    await followers.end("a");
    expect(listen).not.toHaveBeenCalled();
    const late = [following(followers, "a"), following(followers, "b")];
    await vi.waitFor(() => expect(feed.inbox.listeners).toBe(1));
    expect([listen.mock.calls.length, ...ends(late)]).toEqual([1, 0, 0]);
  });

  it("takes no message of somebody else for its own", async () => {
    const feed = feedOf();
    const followers = new Followers(feed);
    const follower = following(followers, "a", "ada");
    for (const data of [null, 7, "a", [], {}, { session: 7 }, { owner: null, except: "a" }, { session: "b" }])
      feed.inbox.send(data);
    await followers.endOwner("eve", null);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(ends([follower])).toEqual([0]);
    expect(feed.inbox.listeners).toBe(1);
  });

  it("ends all where the feed has ended or fails, and listens again", async () => {
    const inbox = new Inbox<unknown>();
    const followers = new Followers(feedOf(inbox));
    const [one, two] = [following(followers, "a"), following(followers, "b")];
    inbox.end();
    await vi.waitFor(() => expect(ends([one, two])).toEqual([1, 1]));
    const again = following(followers, "a");
    await vi.waitFor(() => expect(ends([again])).toEqual([1]));
    const broken = new Followers({
      inbox: {
        listen() {
          throw new Error("down");
        },
      },
      send() {},
    });
    const late = following(broken, "a");
    // Not while it is being added: nobody knows yet how it is stopped.
    expect(ends([late])).toEqual([0]);
    await vi.waitFor(() => expect(ends([late])).toEqual([1]));
  });

  it("says so where the feed sends nothing, after it has ended those of this process", async () => {
    const followers = new Followers({ ...feedOf(), send: () => Promise.reject(new Error("down")) });
    const [one, two] = [following(followers, "a"), following(followers, "b", "ada")];
    await expect(followers.end("a")).rejects.toThrow("down");
    await expect(followers.endOwner("ada", null)).rejects.toThrow("down");
    expect(ends([one, two])).toEqual([1, 1]);
  });
});
