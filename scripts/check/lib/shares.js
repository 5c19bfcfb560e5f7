// Shares of sentences that make a page easy or hard to follow: those that address the reader, that deny something, and
// that join two clauses with a colon.

const verbs = new Set(
  (
    "accept add allow annotate answer append ask avoid await begin bind build call catch change check " +
    "choose clear close collect combine commit compare compress compute configure copy count create cut " +
    "declare define delete deploy describe do drop encode end enter expect export extend find fill follow " +
    "force forward generate get give go guard handle hash hide ignore implement import include increase " +
    "inject insert install keep label leave let limit link list listen load log look make map mark match " +
    "measure mock mount move name never note open order override parse pass pick place point prefer print " +
    "protect publish put raise read reading redirect register release remember remove rename repeat " +
    "replace require reset resolve respond restart restrict return reuse revoke rotate run save say " +
    "search see select send serve set share show sign skip sort specify split start stop store strip " +
    "subclass subscribe suppose switch take tell test throw treat trust try turn type understand update " +
    "upload use validate verify visit wait walk watch wrap write"
  ).split(" "),
);

const negation = /\b(?:not|no|never|without|none|nothing|nobody|neither|nor|nowhere|cannot)\b|n['’]t\b/i;

/** Whether a sentence addresses the reader: by "you", or by a verb at its beginning or after its first clause. */
export function isAddressed(plain) {
  if (/\byou(?:r|rs|rself)?\b/i.test(plain)) return true;
  const starts = plain.split(/(?:^|[,:;] (?:and |then |so |or )?|\. )/).map((part) => part.trim().split(/\s+/)[0]);
  return starts.some((word) => verbs.has(word?.replace(/[^A-Za-z]/g, "").toLowerCase()));
}

const wordsIn = (text) => text.split(/\s+/).filter((word) => /[a-z]/i.test(word)).length;

/** Whether a colon stands between two clauses: not after a label of up to four words, and not before code or a list. */
export function hasClauseColon(plain) {
  const [before, after] = /^(.*?[^\s:]): (.+)$/s.exec(plain)?.slice(1) ?? [];
  if (before === undefined) return false;
  const hasVerb = /\b(?:is|are|has|have|runs|does|can|will|must)\b/.test(after);
  const isList = /^[^.;]*,[^.;]*\b(?:and|or)\b[^,]*$/.test(after) && !hasVerb;
  return wordsIn(before) > 4 && wordsIn(after) > 3 && !isList;
}

/** The shares of a page or of several, of sentences outside of tables. */
export function sharesOf(sentences) {
  const read = sentences.filter(({ cell }) => cell !== true).map(({ plain }) => plain);
  const share = (test) => read.filter(test).length / Math.max(1, read.length);
  return {
    sentences: read.length,
    addressed: share(isAddressed),
    negated: share((plain) => negation.test(plain)),
    colons: share(hasClauseColon),
  };
}
