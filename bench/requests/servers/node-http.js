import { randomUUID } from "node:crypto";
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import * as content from "../content.js";

/** No framework, no routes and no more checks than the rows need: what all others on Node stand on. */
export function start(port) {
  const folder = content.folderOfFile();
  const send = (response, status, value, type = "application/json", fields = {}) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    response.writeHead(status, { ...fields, "content-type": type, "content-length": Buffer.byteLength(text) });
    response.end(text);
  };
  const show = (response, path, fields) => {
    const [id, text] = path.slice(path.lastIndexOf("/") + 1).split("?");
    const query = new URLSearchParams(text);
    const limit = Number(query.get("limit"));
    const lang = query.get("lang");
    const isFit = /^\d+$/.test(id) && limit >= 1 && limit <= 100 && ["en", "de", "fr"].includes(lang);
    if (isFit) send(response, 200, content.shownItemOf(Number(id), { limit, lang }), "application/json", fields);
    else send(response, 400, "");
  };
  const create = (request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const item = JSON.parse(Buffer.concat(chunks).toString());
      if (!isFit(item)) send(response, 422, content.unfit, content.problemType);
      else send(response, 201, content.createdOf(item), "application/json", { location: content.createdAt });
    });
  };
  createServer((request, response) => {
    const { url, method, headers } = request;
    if (url.startsWith("/items/")) return show(response, url, {});
    if (url === "/items" && method === "POST") return create(request, response);
    if (url === "/items") return send(response, 200, content.listed());
    if (url === "/text") return send(response, 200, content.greeting, "text/plain");
    if (url.startsWith("/guarded/")) {
      if (!content.isAuthorized(headers.authorization)) return send(response, 401, "");
      return show(response, url, { "access-control-allow-origin": "*", "x-request-id": randomUUID() });
    }
    if (url.startsWith("/files/")) {
      const path = `${folder}/${url.slice(7)}`;
      response.writeHead(200, { "content-length": statSync(path).size, "content-type": "application/octet-stream" });
      return createReadStream(path).pipe(response);
    }
    send(response, 404, content.notFound, content.problemType);
  }).listen(port);
}

function isFit({ name, description, price, quantity, tags, supplier }) {
  return (
    typeof name === "string" &&
    typeof description === "string" &&
    typeof price === "number" &&
    Number.isInteger(quantity) &&
    Array.isArray(tags) &&
    tags.every((tag) => typeof tag === "string") &&
    [supplier.name, supplier.city, supplier.email].every((text) => typeof text === "string")
  );
}
