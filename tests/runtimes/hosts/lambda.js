// Stands for AWS: makes an event (payload format 2.0) from a request, and a response from what the function returns.
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { handler } from "../../../examples/lambda/main.js";

const server = createServer(async (request, response) => {
  const [rawPath, rawQueryString = ""] = request.url.split("?");
  const { cookie, ...headers } = request.headers;
  const content = await buffer(request).catch(() => null);
  // The client left.
  if (content === null) return;
  const body = content.length === 0 ? {} : { body: content.toString("base64"), isBase64Encoded: true };
  const requestContext = { domainName: "lambda.example", http: { method: request.method, path: rawPath } };
  const event = {
    version: "2.0",
    rawPath,
    rawQueryString,
    headers,
    cookies: cookie?.split("; "),
    ...body,
    requestContext,
  };
  const result = await handler(JSON.parse(JSON.stringify(event)));
  response.writeHead(result.statusCode, { ...result.headers, "set-cookie": result.cookies });
  response.end(Buffer.from(result.body, "base64"));
}).listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/`));
