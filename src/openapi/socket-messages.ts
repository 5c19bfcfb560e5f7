import type { JsonSchema } from "../json-schema/shape/json-schema.ts";
import { isSchema } from "../json-schema/shape/standard-schema.ts";
import type { OperationModel } from "../semantics/operation/operation-model.ts";
import type { Components } from "./components.ts";
import { binary } from "./raw-kinds.ts";

/** The messages of one direction of a WebSocket, as documents describe them. */
export interface DescribedMessages {
  readonly contentType: string;
  readonly schema: JsonSchema;
}

/** Describes what a WebSocket receives and sends. */
export function socketMessagesOf(
  socket: NonNullable<OperationModel["socket"]>,
  components: Components,
  owner: string,
): Readonly<Record<"receives" | "sends", DescribedMessages>> {
  const described = (direction: "receives" | "sends"): DescribedMessages => {
    const side = socket[direction];
    if (isSchema(side)) {
      const schema = components.describe(side, direction === "receives" ? "input" : "output", `${owner} ${direction}`);
      return { contentType: "application/json", schema };
    }
    return { contentType: side.type, schema: side.kind === "bytes" ? binary : { type: "string" } };
  };
  return { receives: described("receives"), sends: described("sends") };
}
