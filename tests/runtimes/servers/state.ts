/** What the application of a server knows of itself. */
export interface State {
  /** How many requests to be broken off it has begun to answer. */
  begun: number;
  /** How many requests it saw broken off. */
  aborted: number;
  /** The memory in use, collected first, or 0 where a program cannot tell. */
  heap(): number;
}

/** A state in which nothing happened yet. */
export function newState(heap: () => number): State {
  return { begun: 0, aborted: 0, heap };
}
