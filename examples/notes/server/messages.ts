import type { AsyncAPIDocument } from "fingerpost/asyncapi";
import { Resource } from "fingerpost/semantics";
import { z } from "zod";

/** Describes what sockets and events say, which OpenAPI cannot. */
export const messagesOf = (describe: () => AsyncAPIDocument) =>
  class Messages extends Resource {
    paths = ["/asyncapi.json"] as const;

    static GET = { summary: "Messages of sockets and events", 200: z.looseObject({ asyncapi: z.string() }) };
    GET() {
      return { ...describe() };
    }
  };
