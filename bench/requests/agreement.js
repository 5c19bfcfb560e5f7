/** Says in what an answer is not what a request has to be answered with; null if it is. */
export function differenceOf(request, answer) {
  if (answer.status !== request.status) return `its status is ${answer.status}: ${answer.content.slice(0, 300)}`;
  if (answer.content !== request.content) return `its content is ${answer.content.slice(0, 400)}`;
  for (const [name, expected] of Object.entries(request.fields)) {
    const value = answer.fields[name];
    const isSame = typeof expected === "string" ? value === expected : expected.test(value ?? "");
    if (!isSame) return `its ${name} is ${value}`;
  }
  return null;
}
