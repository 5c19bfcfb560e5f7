// docs/validation.md says that an asynchronous check of Zod must not throw. Where this fails, Zod has been mended: take
// the sentence out.
import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

it("Zod ends a process of Node where an asynchronous check throws, as its first start is dropped", () => {
  const program = `
    import { z } from "zod";
    const schema = z.string().refine(async () => { throw new Error("thrown by the check"); });
    schema["~standard"].validate("x").catch(() => {});`;
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
    encoding: "utf8",
  });
  expect(status).toBe(1);
  expect(stderr).toContain("thrown by the check");
});
