import { affixed } from "./affixed.ts";
import { aroundExpressions } from "./around-expressions.ts";
import { backtracking } from "./backtracking.ts";
import { bounds, canonicalPaths } from "./canonical-paths.ts";
import { casesOf, type Case } from "./case.ts";
import { constrained } from "./constrained.ts";
import { escapes } from "./escapes.ts";
import { expressions } from "./expressions.ts";
import { hostileTargets } from "./hostile-targets.ts";
import { neighbors } from "./neighbors.ts";
import { optionals } from "./optionals.ts";
import { orderOfExpressions } from "./order-of-expressions.ts";
import { params } from "./params.ts";
import { precedence } from "./precedence.ts";
import { rests } from "./rests.ts";
import { slashes } from "./slashes.ts";
import { staticSegments } from "./static-segments.ts";
import { strictSlashes } from "./strict-slashes.ts";

/** All tables, written out, by their topics. */
export const topics: Readonly<Record<string, readonly Case[]>> = {
  "static segments": casesOf(staticSegments),
  params: casesOf(params),
  "optional params": casesOf(optionals),
  "affixed params": casesOf(affixed),
  "constrained params": casesOf(constrained),
  expressions: casesOf(expressions),
  "around expressions": casesOf(aroundExpressions),
  rests: casesOf(rests),
  neighbors: casesOf(neighbors),
  "escapes and Unicode": casesOf(escapes),
  precedence: casesOf(precedence),
  "order of expressions": casesOf(orderOfExpressions),
  backtracking: casesOf(backtracking),
  slashes: casesOf(slashes),
  "strict slashes": casesOf(strictSlashes),
  "canonical paths": casesOf(canonicalPaths),
  "hostile targets": casesOf(hostileTargets),
  bounds: casesOf(bounds),
};

/** All rows: the index, the oracle and both chains have to agree with each. */
export const cases: readonly Case[] = Object.values(topics).flat();
