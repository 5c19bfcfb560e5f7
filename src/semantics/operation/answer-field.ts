/** A header field of answers. */
export interface AnswerField {
  /** The name, as documents write it. */
  readonly name: string;
}

/** A field that has one value in all answers below 400. */
export interface FixedField extends AnswerField {
  readonly value: string;
}
