import { Application, Resource, text } from "fingerpost";
import { openapi } from "fingerpost/openapi";

class Greeting extends Resource {
  paths = ["/hello"] as const;
  static GET = { 200: text() };
  override GET(): string {
    return "Hello";
  }
}

class Caches extends Resource {
  paths = ["/caches"] as const;
  static audience = "internal";
  static DELETE = { 204: "All are empty" };
  override DELETE(): void {}
}

const about = { title: "Greetings", version: "1.0.0" };

/** An application with two documents. */
export const app: Application = Application.builder()
  .resources(Greeting, Caches, openapi({ ...about, path: "/all.json", docsPath: "/all" }))
  .resources(openapi({ ...about, only: ({ audience }) => audience !== "internal" }))
  .build();
