import { Resource } from "fingerpost/polyfill";

export class Greeting extends Resource {
  paths = ["/hello/:name"];

  GET({ params, response }) {
    response.end(`Hello, ${params.pathParam("name")}\n`);
  }
}
