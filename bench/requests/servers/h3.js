import { randomUUID } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import {
  getValidatedQuery,
  getValidatedRouterParams,
  H3,
  handleCors,
  HTTPError,
  readValidatedBody,
  serve,
  serveStatic,
} from "h3";
import * as content from "../content.js";

/** On srvx, with zod. Answers are not validated. */
export function h3App() {
  const problem = (value) =>
    new Response(JSON.stringify(value), { status: value.status, headers: { "content-type": content.problemType } });
  const app = new H3({
    silent: true,
    onError: ({ status }) =>
      status === 404 ? problem(content.notFound) : status === 422 ? problem(content.unfit) : undefined,
  });
  const show = async (event) => {
    const { id } = await getValidatedRouterParams(event, content.Params);
    return content.shownItemOf(id, await getValidatedQuery(event, content.Query));
  };
  app.get("/items/:id", show);
  app.get("/items", () => content.listed());
  app.post("/items", async (event) => {
    const item = await readValidatedBody(event, content.NewItem, { onError: () => ({ status: 422 }) });
    event.res.status = 201;
    event.res.headers.set("location", content.createdAt);
    return content.createdOf(item);
  });
  app.get("/text", () => content.greeting);
  app.get("/guarded/:id", (event) => {
    event.res.headers.set("x-request-id", randomUUID());
    handleCors(event, { origin: "*" });
    if (!content.isAuthorized(event.req.headers.get("authorization"))) throw new HTTPError({ status: 401 });
    return show(event);
  });
  const root = content.folderOfFile();
  const pathOf = (id) => `${root}/${id.slice(7)}`;
  app.get("/files/**", (event) =>
    serveStatic(event, {
      getContents: (id) => readFile(pathOf(id)),
      getMeta: async (id) => {
        const stats = await stat(pathOf(id)).catch(() => undefined);
        return stats?.isFile() ? { size: stats.size, mtime: stats.mtimeMs } : undefined;
      },
    }),
  );
  return app;
}

export function start(port) {
  serve(h3App(), { port, silent: true });
}
