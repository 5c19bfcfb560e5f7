import { clients, ofApi, ofPages, ofWrites } from "./clients.js";
import { createdAt, createdOf, greeting, itemOf, listed, notFound, shownItemOf, token, unfit } from "./content.js";

const ids = Array.from({ length: 16 }, (_, at) => 1000 + at);
const sent = {
  name: "Teapot, blue glaze",
  description: itemOf(1).description.repeat(2),
  price: 24.5,
  quantity: 12,
  tags: ["kitchen", "tea", "blue"],
  supplier: { name: "Potters of the Lower River", city: "Rotterdam", email: "orders@potters.example" },
};
const get = (path, fields = "") => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${fields}\r\n`;
const post = (content) =>
  "POST /items HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: " +
  `${content.length}\r\n\r\n${content}`;
/** Each request as each of some kinds of clients sends it, by turns. */
const sentBy = (kinds, requests) =>
  requests.flatMap((request) =>
    kinds.map((kind) => ({
      ...request,
      text: request.text.replace(
        "Host: localhost\r\n",
        (host) => host + clients[kind].map((field) => `${field}\r\n`).join(""),
      ),
    })),
  );
const shown = (id) => JSON.stringify(shownItemOf(id, { limit: 10, lang: "en" }));
const isJson = { "content-type": /^application\/json(?:; ?charset=utf-8)?$/i };
const isProblem = { "content-type": /^application\/problem\+json(?:; ?charset=utf-8)?$/i };
const bytes = Buffer.from(Uint8Array.from({ length: 65_536 }, (_, at) => (at * 31) & 255));

/** By row: its requests, as they go over a connection, and what has to come back. */
export const rows = {
  R1: {
    what: "GET with a param and two query fields, 300 B JSON",
    requests: sentBy(
      ofApi,
      ids.map((id) => ({
        text: get(`/items/${id}?limit=10&lang=en`),
        status: 200,
        content: shown(id),
        fields: isJson,
      })),
    ),
  },
  R2: {
    what: "POST of 500 B JSON, 201 with Location",
    requests: sentBy(ofWrites, [
      {
        text: post(JSON.stringify(sent)),
        status: 201,
        content: JSON.stringify(createdOf(sent)),
        fields: { ...isJson, location: createdAt },
      },
    ]),
  },
  R3: {
    what: "GET of a list, 10 kB JSON",
    requests: sentBy(ofApi, [{ text: get("/items"), status: 200, content: JSON.stringify(listed()), fields: isJson }]),
  },
  R4: {
    what: "R1 with bearer guard, CORS and request id",
    requests: sentBy(
      ofApi,
      ids.map((id) => ({
        text: get(
          `/guarded/${id}?limit=10&lang=en`,
          `Authorization: Bearer ${token}\r\nOrigin: https://shop.example\r\n`,
        ),
        status: 200,
        content: shown(id),
        fields: { ...isJson, "access-control-allow-origin": "*", "x-request-id": /^[\da-f-]{36}$/ },
      })),
    ),
  },
  R5: {
    what: "GET of 12 bytes of text",
    requests: sentBy(ofPages, [
      { text: get("/text"), status: 200, content: greeting, fields: { "content-type": /^text\/plain/ } },
    ]),
  },
  "R6 404": {
    what: "404 with problem details",
    requests: sentBy(ofPages, [
      { text: get("/nothing/here"), status: 404, content: JSON.stringify(notFound), fields: isProblem },
    ]),
  },
  "R6 422": {
    what: "422 with problem details",
    requests: sentBy(ofWrites, [
      {
        text: post(JSON.stringify({ ...sent, price: "free" })),
        status: 422,
        content: JSON.stringify(unfit),
        fields: isProblem,
      },
    ]),
  },
  R7: {
    what: "GET of a file of 64 kB",
    requests: sentBy(ofPages, [{ text: get("/files/tea.bin"), status: 200, content: bytes.latin1Slice(), fields: {} }]),
  },
};
