/** Resource classes for some routes: one for each path, with a method for each of its methods. */
export function resourcesOf(Resource, routes, handle) {
  const patterns = [...new Set(routes.map(({ pattern }) => pattern))];
  return patterns.map((pattern) => {
    class PathResource extends Resource {
      paths = [pattern];
    }
    for (const { method, name } of routes.filter((route) => route.pattern === pattern)) {
      PathResource.prototype[method] = (input) => handle(input, name);
    }
    return PathResource;
  });
}
