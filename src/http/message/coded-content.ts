/**
 * Says in the `init` of a response that its content is in its `Content-Encoding` already. Workers would apply the
 * coding again. Other runtimes do not read the member.
 */
export const codedAlready: { readonly encodeBody: "manual" } = { encodeBody: "manual" };
