import { describe, expect, it, vi } from "vitest";
import { Followers, type Follower } from "./followers.ts";

function following(followers: Followers, key: string, owner: string | null = null): Follower {
  const follower: Follower = { key, owner, end: vi.fn<() => void>(() => followers.delete(follower)) };
  followers.add(follower);
  return follower;
}

describe("Followers", () => {
  it("ends those of a session, and no others", () => {
    const followers = new Followers();
    const [one, two, other] = [following(followers, "a"), following(followers, "a"), following(followers, "b")];
    followers.end("a");
    followers.end("a");
    followers.delete(one);
    expect([one, two, other].map(({ end }) => vi.mocked(end).mock.calls.length)).toEqual([1, 1, 0]);
  });

  it("ends those of an owner, but for one session", () => {
    const followers = new Followers();
    const all = [
      following(followers, "a", "ada"),
      following(followers, "b", "ada"),
      following(followers, "c", "eve"),
      following(followers, "d"),
    ];
    followers.endOwner("ada", "b");
    expect(all.map(({ end }) => vi.mocked(end).mock.calls.length)).toEqual([1, 0, 0, 0]);
    followers.endOwner("ada", null);
    expect(all.map(({ end }) => vi.mocked(end).mock.calls.length)).toEqual([1, 1, 0, 0]);
  });
});
