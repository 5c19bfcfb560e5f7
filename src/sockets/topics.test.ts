import { describe, expect, it } from "vitest";
import { rawMessages } from "./messages.ts";
import { Topics, type TopicListener } from "./topics.ts";

describe("Topics", () => {
  it("C20.5 leaves when the last connection is over", async () => {
    const topics = new Topics(rawMessages);
    const left: string[] = [];
    const leave = (reason: string): unknown => left.push(reason);
    const listenerOf = (): TopicListener => ({ wire: null, sendWritten() {}, weigh() {}, leave, cut() {} });
    const [one, two] = [listenerOf(), listenerOf()];
    topics.opened(one);
    topics.opened(two);
    let isOver = false;
    const over = topics.leave().then(() => (isOver = true));
    expect(left).toEqual(["The server stops", "The server stops"]);
    topics.closed(one);
    await Promise.resolve();
    expect([isOver, topics.size]).toEqual([false, 1]);
    topics.closed(two);
    await over;
    expect(topics.size).toBe(0);
    await topics.leave();
  });
});
