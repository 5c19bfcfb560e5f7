import { z } from "zod";

export const Email = z.email().max(200).toLowerCase();
export const Credentials = z.object({ email: Email, password: z.string().normalize().min(10).max(200) });
/** A session that only reads is one to give to an agent. */
const readOnly = z.boolean().default(false);
export const SignedCredentials = Credentials.extend({ readOnly });
export const User = z.object({ id: z.int(), email: Email, readOnly }).meta({ id: "User" });
export const Organization = z.object({ name: z.string().regex(/^[a-z\d-]{2,40}$/) }).meta({ id: "Organization" });
export const Member = z.object({ email: Email, role: z.enum(["admin", "member"]) });

/** What `serial` numbers: greater ones are no ids. */
export const Id = z.object({ id: z.int32() });
export const NoteContent = z.object({ title: z.string().min(1).max(200), body: z.string().max(20_000) });
export const Note = z.object({ id: z.int(), ...NoteContent.shape }).meta({ id: "Note" });
/** Where a page of notes ends. */
export const NotePlace = z.object({ title: z.string(), id: z.int() });

export const Change = z
  .object({ change: z.enum(["added", "changed", "removed"]), id: z.int(), title: z.string() })
  .meta({ id: "Change" });
/** A change, and whose note it is. */
export const OwnedChange = Change.extend({ owner: z.int() });
export const Payment = z.object({ id: z.int(), cents: z.int(), paid: z.boolean() }).meta({ id: "Payment" });
