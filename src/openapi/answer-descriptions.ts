/** What documents say of statuses that the line answers without their being declared. Middleware says its own. */
export const answerDescriptions = {
  part: "A part of the content",
  notModified: "The client has the current representation",
  unreadable: "The request cannot be read, or does not fit",
  noResource: "There is no such resource",
  notAcceptable: (offered: readonly string[]): string => `Nothing that is accepted: there is ${offered.join(", ")}`,
  failedPrecondition: "A precondition does not hold",
  tooLarge: "The content is too large",
  otherType: (taken: string): string => `Content of another type: ${taken} is taken`,
  noSuchRange: "The content does not have the range that was asked for",
  unfit: "The content does not fit",
  noPrecondition: "The request needs a precondition, such as If-Match",
} as const;
