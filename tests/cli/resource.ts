import { Resource } from "fingerpost/modules/http.polyfill.js";

/** A resource class of this name that answers GET at these paths. */
export function resource(name: string, ...paths: readonly string[]): new () => Resource {
  const classes = {
    [name]: class extends Resource {
      override paths = paths;
      override GET(_input: unknown): unknown {
        return name;
      }
    },
  };
  return classes[name]!;
}
