/** Checks what a router answers to every input against the oracle; says where they differ first, or null. */
export function disagreement(expected, answers, inputs) {
  const at = answers.findIndex((answer, index) => JSON.stringify(answer) !== expected[index]);
  if (at < 0) return null;
  return `${inputs[at].method} ${inputs[at].path}: ${JSON.stringify(answers[at])} instead of ${expected[at]}`.slice(
    0,
    200,
  );
}

/** What the oracle says to every input, as text. */
export function expectedOf(oracle, inputs) {
  return inputs.map(({ method, path }) => JSON.stringify(oracle(method, path)));
}
