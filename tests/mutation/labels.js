// Stryker puts a mutant of `for (;;)` around the whole loop, and a label in front of it then labels no loop any more:
// the file does not load, and its tests are not run. With a condition to mutate, it mutates that.
import { declareValuePlugin, PluginKind } from "@stryker-mutator/api/plugin";

function shouldIgnore({ node }) {
  if (node.type !== "LabeledStatement" || node.body.type !== "ForStatement" || node.body.test !== null) return;
  const { start, loc } = node.body;
  const end = { ...loc.start, column: loc.start.column + "for".length };
  node.body.test = {
    type: "BooleanLiteral",
    value: true,
    start,
    end: start + "for".length,
    loc: { ...loc, end },
  };
}

export const strykerPlugins = [declareValuePlugin(PluginKind.Ignore, "labels", { shouldIgnore })];
