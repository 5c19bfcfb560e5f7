// A function of Vercel, or of whatever else calls what is exported as `fetch` or by the name of a method:
// api/index.js
import { application } from "../greetings/native.js";

export const { fetch } = application;

export { fetch as DELETE, fetch as GET, fetch as HEAD, fetch as OPTIONS, fetch as PATCH, fetch as POST, fetch as PUT };

export default application;
