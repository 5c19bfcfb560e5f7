// The twelve routes that Hono publishes its router benchmark with, and the rows of it.
export const routes = [
  "GET /user",
  "GET /user/comments",
  "GET /user/avatar",
  "GET /user/lookup/username/:username",
  "GET /user/lookup/email/:address",
  "GET /event/:id",
  "GET /event/:id/comments",
  "POST /event/:id/comments",
  "POST /map/:location/events",
  "GET /status",
  "GET /very/deeply/nested/route/hello/there",
  "GET /static/*",
];

export const rows = {
  "short static": ["GET /user"],
  "same radix": ["GET /user/comments"],
  dynamic: ["GET /user/lookup/username/:username"],
  "mixed static": ["GET /event/:id/comments"],
  post: ["POST /event/:id/comments"],
  "long static": ["GET /very/deeply/nested/route/hello/there"],
  wildcard: ["GET /static/*"],
  "all together": routes,
};
