import { measuring, type Measure } from "../../src/http/javascript/measuring.ts";
import { onTestFinished } from "vitest";

/** What is measured from here on until the test ends, without what `trace()` measures itself. */
export function measured(): Parameters<Measure>[] {
  const found: Parameters<Measure>[] = [];
  measuring.measure = (...values) => void found.push(values);
  onTestFinished(() => void (measuring.measure = null));
  return found;
}
