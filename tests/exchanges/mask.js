/** What may differ between two recordings of one build, and what it becomes: at most ten lines. */
export const mask = [[/^(< date:) .*$/gim, "$1 …"]];
