// AWS Lambda behind a function URL or an HTTP API (payload format 2.0): the handler is `main.handler`.
import { application } from "../greetings/native.js";

export async function handler(event) {
  const response = await application.fetch(requestOf(event));
  const headers = Object.fromEntries(response.headers);
  delete headers["set-cookie"];
  return {
    statusCode: response.status,
    headers,
    cookies: response.headers.getSetCookie(),
    body: Buffer.from(await response.arrayBuffer()).toString("base64"),
    isBase64Encoded: true,
  };
}

function requestOf({ rawPath, rawQueryString, headers, cookies = [], body, isBase64Encoded, requestContext }) {
  const { domainName, http } = requestContext;
  // An HTTP API has decoded the path: what would end it, or begin an escape, is text of a segment.
  const path = rawPath.replace(/[?#]|%(?![\da-f]{2})/gi, encodeURIComponent);
  const url = `https://${domainName}${path}${rawQueryString === "" ? "" : `?${rawQueryString}`}`;
  const request = { url, method: http.method, headers: new Headers(headers), body: null };
  if (cookies.length > 0) request.headers.set("cookie", cookies.join("; "));
  // What a Request cannot carry reaches the application all the same.
  if (http.method === "TRACE" || http.method === "CONNECT") return request;
  // One with GET or HEAD cannot have content.
  const hasContent = body !== undefined && http.method !== "GET" && http.method !== "HEAD";
  if (hasContent) request.body = Buffer.from(body, isBase64Encoded ? "base64" : "utf8");
  return new Request(url, request);
}
