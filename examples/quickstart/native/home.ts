import { Resource, Response } from "fingerpost/native";

/** Where a visitor starts. */
export class Home extends Resource {
  paths = ["/"];

  GET(): Response {
    return new Response("A reading list: see /books\n");
  }
}
