// One server that reads forms by one library, and answers with what it read: names of fields and their lengths, files
// and their sizes. Files are counted and let go, so that the parser is measured, and no disk.
import { createServer } from "node:http";
import { serve } from "../../dist/servers/node.js";
import { Application, Resource, Response } from "../../dist/modules/http.native.js";
import { partsOf } from "../../dist/content/uploads.js";

const largest = 200_000_000;

async function sizeOf(stream) {
  let size = 0;
  for await (const chunk of stream) size += chunk.length;
  return size;
}

/** A server of `node:http` around a function that makes a list of what was read. */
function plain(read) {
  return createServer((request, response) => {
    read(request, response).then(
      (parts) => {
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify(parts));
      },
      (error) => {
        response.statusCode = 500;
        response.end(String(error));
      },
    );
  }).listen(0, "127.0.0.1");
}

const servers = {
  async fingerpost() {
    class Forms extends Resource {
      paths = ["/"];
      async POST(request) {
        const parts = [];
        for await (const part of partsOf(request, { maxBytes: largest, maxFileBytes: largest })) {
          const { name, fileName } = part;
          parts.push([name, fileName === undefined ? (await part.text()).length : await sizeOf(part)]);
        }
        return Response.json(parts);
      }
    }
    return serve(Application.builder().resources(Forms).build(), { port: 0 });
  },
  async busboy() {
    const { default: busboy } = await import("busboy");
    return plain(
      (request) =>
        new Promise((resolve, reject) => {
          const parts = [];
          const parser = busboy({ headers: request.headers });
          parser.on("field", (name, value) => parts.push([name, value.length]));
          parser.on("file", (name, stream) => {
            const at = parts.push([name, 0]) - 1;
            stream.on("data", (chunk) => (parts[at][1] += chunk.length));
          });
          parser.on("close", () => resolve(parts)).on("error", reject);
          request.pipe(parser);
        }),
    );
  },
  async multer() {
    const { default: multer } = await import("multer");
    const storage = {
      _handleFile(_request, file, done) {
        sizeOf(file.stream).then((size) => done(null, { size }), done);
      },
      _removeFile: (_request, _file, done) => done(null),
    };
    const read = multer({ storage }).any();
    return plain(async (request, response) => {
      await new Promise((resolve, reject) => read(request, response, (error) => (error ? reject(error) : resolve())));
      const fields = Object.entries(request.body).map(([name, value]) => [name, value.length]);
      return [...fields, ...request.files.map(({ fieldname, size }) => [fieldname, size])];
    });
  },
  async formidable() {
    const { default: formidable } = await import("formidable");
    const { Writable } = await import("node:stream");
    return plain(async (request) => {
      const options = { maxFileSize: largest, maxTotalFileSize: largest, allowEmptyFiles: true, minFileSize: 0 };
      const fileWriteStreamHandler = () => new Writable({ write: (_chunk, _coding, done) => done() });
      const [fields, files] = await formidable({ ...options, fileWriteStreamHandler }).parse(request);
      const sizes = Object.entries(files).map(([name, [{ size }]]) => [name, size]);
      return [...Object.entries(fields).map(([name, [value]]) => [name, value.length]), ...sizes];
    });
  },
  async "@fastify/multipart"() {
    const { default: fastify } = await import("fastify");
    const app = fastify();
    await app.register(import("@fastify/multipart"), { limits: { fileSize: largest } });
    // oxlint-disable-next-line oxc/no-async-endpoint-handlers -- Fastify waits for it, unlike Express
    app.post("/", async (request) => {
      const parts = [];
      for await (const part of request.parts()) {
        parts.push([part.fieldname, part.type === "file" ? await sizeOf(part.file) : part.value.length]);
      }
      return parts;
    });
    await app.listen({ port: 0, host: "127.0.0.1" });
    return app.server;
  },
};

const server = await servers[process.argv[2]]();
process.on("message", () => process.send(process.cpuUsage()));
process.on("disconnect", () => process.exit());
if (!server.listening) await new Promise((resolve) => server.once("listening", resolve));
process.send(server.address().port);
