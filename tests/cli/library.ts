// An application with something of everything that the command line tools have to say something about.
import { Application, Middleware, Resource, ResourceGroup } from "fingerpost/modules/http.native.js";

class Auth extends Middleware {}
class Log extends Middleware {}

class Home extends Resource {
  override paths = ["/"];
  override GET = () => new Response("home");
}
class Users extends Resource {
  override paths = ["/users/:id", "/users/:id/posts", "/users/me/settings"];
  override GET = () => new Response("users");
  override PUT = () => new Response("users");
}
class Files extends Resource {
  override paths = ["/files/*", "/:name.:ext", "/v:major-:minor(\\d+)/x"];
  override GET = () => new Response("files");
}
class Years extends Resource {
  override paths = ["/archive/:year(\\d{4})", "/archive/:year(\\d{4})/:month(\\d\\d)?"];
  override GET = () => new Response("years");
}
class Statistics extends Resource {
  override paths = ["/statistics"];
  override GET = () => new Response("statistics");
}

const admin = ResourceGroup.builder().resources(Statistics).prefix("/admin").middleware(Auth, Log).build();

export const library = Application.builder().resources(Home, Users, Files, Years, admin).build();
