// Every middleware of the package, so that each is held to the same: a request that it lets pass is answered as without
// it.
import { everyRow } from "./every-row.ts";
import type { Pass } from "./middleware-row.ts";

/** One for each way through each middleware. */
export const rows: readonly (Pass & { readonly name: string })[] = [...everyRow].flatMap(([name, { passes }]) =>
  passes.map((pass) => ({ name: pass.by === undefined ? name : `${name}, ${pass.by}`, ...pass })),
);

/** Content of chunks that come one by one; what is not text is read off another stream, as `fetch()` gives. */
export function chunks(...texts: readonly string[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  const left = [...texts];
  return new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve));
      const text = left.shift();
      if (text === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(text));
    },
  });
}

/** The content of a response, decoded: whoever asks for a coding may be given it. */
export function textOf(response: Response): Promise<string> {
  const coding = response.headers.get("content-encoding");
  if (coding !== "gzip" && coding !== "deflate") return response.text();
  return new Response(response.body!.pipeThrough(new DecompressionStream(coding))).text();
}
