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

  it("weighs all but the sender where a server publishes, and messages wait", () => {
    const topics = new Topics(rawMessages);
    const weighed: string[] = [];
    const wire = { join() {}, part() {}, joined: () => 2, publish: () => false };
    const listenerOf = (name: string): TopicListener => ({
      wire: wire as never,
      sendWritten: () => weighed.push(`${name} got it by itself`),
      weigh: () => weighed.push(name),
      leave() {},
      cut() {},
    });
    const [one, two] = [listenerOf("one"), listenerOf("two")];
    topics.add("news", one);
    topics.add("news", two);
    topics.publish("news", "a", one);
    topics.publish("news", "b", null);
    expect(weighed).toEqual(["two", "one", "two"]);
  });
});
