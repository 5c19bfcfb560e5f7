/** A header field of answers, as documents describe it. */
export interface AnswerField {
  /** The name, as documents write it. */
  readonly name: string;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** A field that has one value in all answers below 400. */
export interface FixedField extends AnswerField {
  readonly value: string;
}

export const fieldText: AnswerField["schema"] = { type: "string" };

// Fields with more than one reason: a member, and content, guards or pages.

export const cacheControl: AnswerField = {
  name: "Cache-Control",
  description: "Who may keep the answer, and how long",
  schema: fieldText,
};

export const entityTag: AnswerField = {
  name: "ETag",
  description: "The entity tag of the representation",
  schema: fieldText,
};

export const link: AnswerField = { name: "Link", description: "Related pages (RFC 8288)", schema: fieldText };

export const vary: AnswerField = {
  name: "Vary",
  description: "The fields of requests by which the answer was chosen",
  schema: fieldText,
};
