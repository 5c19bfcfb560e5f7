declare module "virtual:entries" {
  /** Loads each module of the package that this runtime can load. */
  export const entries: readonly (() => Promise<unknown>)[];
}
