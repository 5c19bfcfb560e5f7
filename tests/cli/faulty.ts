// Two applications with something of everything that `fingerpost check` finds.
import { Application, Resource } from "fingerpost/modules/http.polyfill.js";

class Answering extends Resource {
  override GET(_input: unknown): unknown {
    return "answer";
  }
}
class Hidden extends Resource {}
class Silent extends Resource {
  override paths = ["/silent"];
}
class Slow extends Answering {
  override paths = ["/slow/:name((a+)+)", "/(.+)/middle/(.+)/(.+)"];
}
class Words extends Answering {
  override paths = ["/n/:word(\\w+)"];
}
class Numbers extends Answering {
  override paths = ["/n/:number(\\d+)"];
}
class Either extends Answering {
  override paths = ["/e/:either([a-f]+)"];
}
class Or extends Answering {
  override paths = ["/e/:or([d-k]+)"];
}
class Everything extends Answering {
  override paths = ["/x/:any+", "/x/(.+)"];
}
class Impossible extends Answering {
  override paths = ["/i/(a^b)"];
}

export const application = Application.builder()
  .resources(Hidden, Silent, Slow, Words, Numbers, Either, Or, Everything, Impossible)
  .build();
export const other = Application.builder().build();
