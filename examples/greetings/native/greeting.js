import { Resource, Response } from "fingerpost/native";

export class Greeting extends Resource {
  paths = ["/hello/:name"];

  GET({ params }) {
    return new Response(`Hello, ${params.pathParam("name")}\n`);
  }
}
