/**
 * Decides who may: a function, or one that hides. `false` refuses by 403, and where it hides by the 404 that the
 * operation declares.
 *
 * @typeParam About what the function is given.
 */
export type May<About = never> = Deciding<About> | Hiding<About>;

type Deciding<About> = (asked: About) => boolean | Promise<boolean>;

interface Hiding<About> {
  /** Returns whether the sender may. */
  readonly ask: Deciding<About>;
  /** Answers with 404 in place of 403, so that nobody learns what there is. */
  readonly hides: true;
}
