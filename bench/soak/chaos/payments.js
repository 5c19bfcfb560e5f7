// The application of the chaos run: takes payments, each once for its key.
import { Application, reply, Resource } from "../../../dist/modules/http.semantics.js";

/** A lease ends soon after its process, so that clients need not wait for long. */
const leaseMs = 2_000;

/** Any object with a name: the clients of the run are right. */
const named = { "~standard": { version: 1, vendor: "none", validate: (value) => ({ value }) } };

/** Builds the application. `pay` does the effect of a call, and returns the answer, which has the id of the effect. */
export function payments(store, pay) {
  class Payments extends Resource {
    paths = ["/payments"];

    static POST = { idempotency: true, content: named, 201: named };
    POST(call) {
      return pay(call, (id) => reply(201, { id: Number(id) }));
    }
  }
  return Application.builder()
    .resources(Payments)
    .idempotency({ store, ownerOf: () => "everyone", leaseMs })
    .build();
}
