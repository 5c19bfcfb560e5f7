import { Application, bytes, Resource, type Call } from "fingerpost";
import { decompress } from "fingerpost/middleware/decompress";

const maxBytes = 4_000_000;
const either = {
  "application/x-protobuf": bytes("application/x-protobuf", { maxBytes }),
  "application/json": bytes("application/json", { maxBytes }),
};

/** A receiver of OTLP over HTTP: `received` gets the signal, the media type and the bytes of each export. */
export function otlpReceiver(received: (signal: string, type: string, content: Uint8Array) => void) {
  class Signals extends Resource {
    paths = ["/v1/:signal(traces|metrics|logs)"] as const;
    static POST = { content: either, 200: { content: either } };
    POST({ path, content, contentType = "" }: Call<typeof Signals, "POST">) {
      received(path.signal, contentType, content);
      // Exporters read the type that they sent: an empty message says that everything was taken.
      return new Blob(contentType === "application/json" ? ['{"partialSuccess":{}}'] : [], { type: contentType });
    }
  }

  return Application.builder().middleware(decompress()).resources(Signals).build();
}
