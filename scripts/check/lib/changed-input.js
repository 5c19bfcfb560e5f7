// How the guided fuzzer changes an input, which is a list of texts: patterns, and a target behind them.

/** What patterns and targets are made of, besides what is already in the inputs. */
const words = [
  ...(
    "/ // : :a :b :c ? * + ( ) (a) (\\d+) (.*) (a|b) [^-]+ a b 7 . .. - % %2F %2f %61 %zz %C3%A9 é \\ # @ ; " +
    "http://h"
  ).split(" "),
  ..."\t|\n|\0|\ud800|__proto__|%2e|%25|(?!a)|(a$)|{2}|\u{1d4b3}".split("|"),
];

/** An input of the corpus with one to four changes; those that were found last are taken more often. */
export function changed(corpus, random, longest, most) {
  const pick = () =>
    corpus[random(3) === 0 ? corpus.length - 1 - random(Math.min(50, corpus.length)) : random(corpus.length)];
  const input = [...pick()];
  for (let left = 1 + random(4); left > 0; left--) {
    const at = random(input.length);
    const text = input[at];
    const [from, to] = [random(text.length + 1), random(text.length + 1)].toSorted((a, b) => a - b);
    const other = pick();
    const what = random(8);
    if (what <= 2) input[at] = text.slice(0, from) + words[random(words.length)] + text.slice(from);
    else if (what === 3) input[at] = text.slice(0, from) + text.slice(to);
    else if (what === 4) input[at] = text.slice(0, from) + other[random(other.length)].slice(0, 20) + text.slice(to);
    else if (what === 5) input[at] = text.slice(0, to) + text.slice(from);
    else if (what === 6 && input.length < most) input.splice(random(input.length), 0, other[0]);
    else if (what === 7 && input.length > 2) input.splice(random(input.length - 1), 1);
  }
  return input.map((text) => text.slice(0, longest));
}
