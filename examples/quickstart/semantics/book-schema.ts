import { z } from "zod";

/** What a client sends: a book without the id that it is given. */
export const draft = z
  .object({
    title: z.string().min(1),
    author: z.string().min(1),
    isbn: z
      .string()
      .regex(/^97[89]\d{10}$/)
      .optional(),
    shelf: z.string().optional(),
  })
  .meta({ id: "Draft" });

/** What a client receives. */
export const book = draft.extend({ id: z.int() }).meta({ id: "Book" });

/** The id in a path. One that is not a number is 404. */
export const byId = z.object({ id: z.int().min(1) });
