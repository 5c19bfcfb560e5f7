// An application whose document cannot be made, with a tool that says nothing of itself.
import { Application, Resource } from "fingerpost";
import { z } from "zod";

const book = (member: z.ZodType): z.ZodType => z.object({ member }).meta({ id: "Book" });

class Read extends Resource {
  override paths = ["/read"];
  static GET = { tool: true, 200: book(z.string()) };
  override GET(): unknown {
    return null;
  }
}
class Written extends Resource {
  override paths = ["/written"];
  static PUT = { content: book(z.int()), 204: "Done" };
  override PUT(): void {}
}

export const application = Application.builder()
  .resources(Read as never, Written as never)
  .build();
