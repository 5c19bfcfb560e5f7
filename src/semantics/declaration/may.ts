/**
 * Decides who may use an operation. `false` refuses with 403, or with the declared 404 if the rule hides.
 *
 * @typeParam About what the function is given.
 */
export type May<About = never> = Deciding<About> | Hiding<About>;

type Deciding<About> = (asked: About) => boolean | Promise<boolean>;

interface Hiding<About> {
  /** Returns whether the sender may. */
  readonly ask: Deciding<About>;
  /** Answers with 404 instead of 403, so that nobody learns what there is. */
  readonly hides: true;
}
