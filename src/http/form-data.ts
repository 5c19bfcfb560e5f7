/**
 * Whether a content type is the one that Node gives a response made of a `FormData`.
 *
 * From Node 24 on, the stream of such content is filled whether it is read or not (undici's `extractBody()`). Where it was canceled
 * meanwhile, that rejects, nobody can catch it, and the process ends. So whoever lets go of it reads it to its end, which comes.
 */
export function isOfFormData(contentType: string): boolean {
  return contentType.startsWith("multipart/form-data; boundary=----formdata-undici-");
}
