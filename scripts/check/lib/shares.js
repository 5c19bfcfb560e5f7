// Shares of sentences that make a page easy or hard to follow: those that address the reader, that deny something, and
// that join two clauses with a colon. Beside them, paragraphs that begin with a pronoun.

/** Verbs that begin an instruction. Words that begin a sentence as a noun more often are left out. */
const verbs = (
  "accept add allow annotate append ask avoid await begin bind build call catch check choose clear close " +
  "collect combine commit compare compress compute configure convert copy count create cut declare define " +
  "delete deploy describe do download drop enable encode end enter expect export extend find fill follow force " +
  "forward generate get give go guard handle hide ignore implement import include increase inject insert " +
  "install keep label learn leave let limit link list listen load log look make map mark match measure mock " +
  "mount move name note open order override parse pass paste pick place pool prefer print protect publish put " +
  "raise read redirect refer register release remember remove rename repeat replace require reset resolve " +
  "respond restart restrict return reuse revoke rotate run save see select send separate serve set share show " +
  "sign skip sort specify split start stop store strip subclass subscribe suppose switch tell test think throw " +
  "treat trust try turn type understand update upgrade upload use validate verify visit wait walk watch wrap " +
  "write"
).replaceAll(" ", "|");

const instruction = new RegExp(
  String.raw`^["'(*]*(?:(?:then|also|first|next|now|only|always|never|finally|so|please|instead),? )*` +
    String.raw`(?:${verbs}|don['’]t|never)\b(?! (?:is|are|of|has|have|was|were)\b)`,
  "i",
);
/** An instruction after a condition, or after another clause that it ends. */
const afterClause = new RegExp(
  String.raw`^(?:If|When|To|For|In|On|After|Before|With|Where|From|As|At|Otherwise|Instead|While|Once|Behind|Unless|` +
    String.raw`Since)\b.*?, (?:then |also |first |only |always |never |instead )*(?:${verbs})\b|` +
    String.raw`[;:,] (?:and |so |or |then )?(?:${verbs}) (?:an?|the|each|every|this|that|these|it|them|one|\uE000)`,
);

/** Whether a sentence addresses the reader: with "you", or with an instruction. */
export function isAddressed(plain) {
  return /\byou(?:r|rs|rself)?\b|\blet['’]s\b/i.test(plain) || instruction.test(plain) || afterClause.test(plain);
}

const negation = /\b(?:not|no|never|without|none|nothing|nobody|neither|nor|nowhere|cannot)\b|n['’]t\b/i;

/** Whether a sentence denies something. */
export function isNegated(plain) {
  return negation.test(plain);
}

const wordsIn = (text) => text.split(/\s+/).filter((word) => /[a-z]/i.test(word)).length;

/** Whether a colon joins two clauses. A label of up to two words, code and lists are left out. */
export function hasClauseColon(plain) {
  const [before, after] = /^(.*?[^\s:]): (.+)$/s.exec(plain)?.slice(1) ?? [];
  if (before === undefined) return false;
  const hasVerb = /\b(?:is|are|has|have|runs|does|can|will|must)\b/.test(after);
  const isList = /^[^.;]*,[^.;]*\b(?:and|or)\b[^,]*$/.test(after) && !hasVerb;
  return wordsIn(before) > 2 && wordsIn(after) > 2 && !isList;
}

/** Beginnings whose noun is somewhere else. "Such a file" and "One route" name theirs. */
const pronouns = new RegExp(
  String.raw`^["'(*]*(?:(?:It|Its|They|Their|Theirs|Others)\b|(?:That|Those) of\b|(?:One|Both|Such)(?=[,.;:]| (?:of ` +
    "(?:them|these|those)|that|who|which|is|are|was|were|has|have|may|can|must|does|do|also|without|returns?|runs?|" +
    String.raw`needs?|answers?|accepts?)\b))`,
);

/** Whether a paragraph, an item or a cell begins with a pronoun. */
export function beginsWithPronoun({ first, plain }) {
  return first && pronouns.test(plain);
}

/** The shares of a page or of several, of sentences outside of tables. */
export function sharesOf(everything) {
  const sentences = everything.filter(({ cell }) => cell !== true);
  const share = (test) => sentences.filter(({ plain }) => test(plain)).length / Math.max(1, sentences.length);
  return {
    sentences: sentences.length,
    addressed: share(isAddressed),
    negated: share(isNegated),
    colons: share(hasClauseColon),
    pronouns: everything.filter(beginsWithPronoun).length,
  };
}

/** Bounds of all guides together, and of a single one that has twenty sentences or more. */
export const bounds = {
  all: { addressed: 0.25, negated: 0.12, colons: 0.04 },
  page: { addressed: 0.12, negated: 0.2, colons: 0.1 },
};

const percent = (share) => `${(100 * share).toFixed(1)} %`;

/** What is outside of its bounds, as lines to print. */
export function faultsOfShares(name, shares, bound) {
  return [
    [shares.addressed < bound.addressed, shares.addressed, `address the reader; at least ${percent(bound.addressed)}`],
    [shares.negated > bound.negated, shares.negated, `deny something; at most ${percent(bound.negated)}`],
    [shares.colons > bound.colons, shares.colons, `join clauses with a colon; at most ${percent(bound.colons)}`],
  ].flatMap(([isWrong, share, text]) => (isWrong ? [`${name}: ${percent(share)} of the sentences ${text}`] : []));
}

/** A line for shares. */
export function lineOfShares(name, { sentences, addressed, negated, colons, pronouns: first }) {
  return (
    `${name}: ${sentences} sentences, ${percent(addressed)} address the reader, ${percent(negated)} deny, ` +
    `${percent(colons)} join clauses with a colon, ${first} paragraphs begin with a pronoun`
  );
}
