// Two applications with something of everything that `fingerpost check` finds.
import { Application, Resource } from "fingerpost/modules/http.polyfill.js";

class Hidden extends Resource {}
class Slow extends Resource {
  override paths = ["/slow/:name((a+)+)", "/(.+)/middle/(.+)/(.+)"];
}
class Words extends Resource {
  override paths = ["/n/:word(\\w+)"];
}
class Numbers extends Resource {
  override paths = ["/n/:number(\\d+)"];
}
class Either extends Resource {
  override paths = ["/e/:either([a-f]+)"];
}
class Or extends Resource {
  override paths = ["/e/:or([d-k]+)"];
}
class Everything extends Resource {
  override paths = ["/x/:any+", "/x/(.+)"];
}
class Impossible extends Resource {
  override paths = ["/i/:never(a^b)"];
}

export const application = Application.builder()
  .resources(Hidden, Slow, Words, Numbers, Either, Or, Everything, Impossible)
  .build();
export const other = Application.builder().build();
