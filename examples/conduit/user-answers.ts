import { reply } from "fingerpost";
import { tokenFor } from "./guards.ts";
import type { Refusal, UserRow } from "./store.ts";

/** A user as the user sees it: the schema leaves out the rest of the row. */
export const shown = async (row: UserRow) => ({ user: { ...row, token: await tokenFor(row.id) } });

export const takenBy = ({ taken }: Exclude<Refusal, string>) =>
  reply(422, { detail: `${taken} has already been taken` });
