// Checks the sentences of the pages and docstrings: their length, their words, their headings. Ends with the measures.
// With --shares=FOLDER, prints the shares of the pages below any folder, such as those of another library.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beginsWithPronoun, bounds, faultsOfShares, lineOfShares, sharesOf } from "./lib/shares.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const longest = 25;

/** Pages that are looked up, not read. The grade counts README and the other pages. */
const reference =
  /^docs\/(?:errors|errors\/.*|cli|middleware\/.*|coming-from-.*)\.md$|^(?:bench|tests|examples)\/|^(?!README)[A-Z]+\.md$|^llms\.txt$/;

/** Pages that explain. Their shares have bounds. */
const guide = /^(?:README|docs\/(?!errors|cli|benchmarks)[^/]+|docs\/(?:tutorial|recipes|middleware)\/[^/]+)\.md$/;

const others = ["CHANGELOG.md", "SECURITY.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "AGENTS.md", "llms.txt"];

const status = "(?:10[0-3]|20[0-8]|226|30[0-8]|4(?:0\\d|1\\d|2[1-9]|31|51)|50[0-8]|51[01])";
/** A status that is the subject, or that something "is". */
const retiredStatus = new RegExp(
  `(?<!status(?: code)?) \\b(?:is|are|was|were|be|stays?|remains?) (?:an? |then |still |always |also |never |not )?` +
    `\`?${status}\`?(?=$|[.;:)]| (?:for|when|if|instead|because|unless|too|here|there|but|even)\\b)` +
    `|(?:^|[;:] )\`?${status}\`? (?:is|says|tells|asks|counts|gives|takes|has|weighs|knows)\\b`,
);

/** Words that the docs do not use, with the word that replaces each. Exceptions are in the expressions. */
const words = [
  // "Behind" is right for what stands between client and server.
  [
    /\bbehind\b(?!(?: (?:an?|the|one|another|your|its|this|that|several|such|own|reverse|trusted|of))* (?:proxy|proxies|load balancer|CDN|cache|gateway|server))/i,
    "after, not behind",
  ],
  [/\btells\b/i, "detects, says or reports, not tells"],
  [/\bgives\b(?! up\b)/i, "returns, not gives"],
  [/\bpayloads?\b/i, "body or content, not payload"],
  [/\blets? (?:\w+ )?go\b/i, "cancel, not let go"],
  [/\b(?:as|where|how) (?:it|they) stands?\b|\bstands (?:in|on|at|apart|for)\b|\bstand for\b/i, "is, not stands"],
  [/\bwhoever\b|\bwhosoever\b/i, "name the actor: you, the client, the handler"],
  [/\bthat which\b|\bthose who\b/i, "name the thing"],
  [/\b(?:that|those) of (?!(?:course)\b)/i, "repeat the noun, not that of"],
  [/\bunless given\b/i, "Default: …, not unless given"],
  [/(?<!\bthere )\b(?:is|are) no (?!longer\b|more\b|less\b|other\b)/i, "is not a, not is no"],
  [/\bthere (?:is|are) (?:not\b|no such\b)/i, "does not exist"],
  [/\bmust needs\b|\bin no wise\b|\ball the same\b/i, "say it plainly"],
];

/** Words that guides do not use. */
const wordsOfGuides = [
  [/\b(?:or|and) no (?!longer\b|more\b|less\b|other\b)/i, "say what is, not and no"],
  [/\bin place of\b/i, "instead of, not in place of"],
  [retiredStatus, "somebody returns a status: returns 404, gets 404"],
];

/** Beginnings that hide the actor. Questions may begin so. */
const beginnings =
  /^(?:Whoever|Who (?!notices\b)\w+s\b|What (?:is|a|an|the|it|they|has|does|no|was)|That which|All that)\b/;

/** Replaces each piece of code by one word, and gives it back. */
function withoutCode(text) {
  const codes = [];
  const plain = text.replace(/(`+)(?!`)([\s\S]*?[^`])\1(?!`)/g, (code) => {
    codes.push(code);
    return `\uE000${codes.length - 1}\uE001${"\n".repeat(code.split("\n").length - 1)}`;
  });
  return { plain, restored: (part) => part.replace(/\uE000(\d+)\uE001/g, (_, number) => codes[Number(number)]) };
}

/** The sentences of lines that belong together. */
function sentencesOf(lines, line) {
  const { plain, restored } = withoutCode(lines.join("\n"));
  const text = plain
    .replace(/!?\[((?:[^[\]]|\[[^\]]*\])*)\]\([^)]*\)/g, "$1")
    .replace(/<https?:[^>]*>/g, "link")
    .replace(/\{@link ([^}]*)\}/g, "$1")
    .replace(/\*\*|<\/?[a-z][^>]*>/g, "");
  const sentences = [];
  let at = 0;
  for (const part of text.split(/(?<=[.!?]["')]*)(?=\s+["'(*]*(?:[A-Z0-9\uE000]|fingerpost\b))/)) {
    const leading = /^\s*/.exec(part)[0];
    const before = text.slice(0, at).split("\n").length - 1 + leading.split("\n").length - 1;
    at += part.length;
    const plainPart = part.replace(/\s+/g, " ").trim();
    if (/[A-Za-z\uE000]/.test(plainPart)) {
      const real = plainPart.split(" ").filter((word) => /[A-Za-z0-9\uE000]/.test(word));
      const first = sentences.length === 0;
      sentences.push({ line: line + before, text: restored(plainPart), plain: plainPart, words: real, first });
    }
  }
  return sentences;
}

/** The headings and sentences of a page. Code blocks, comments and front matter are left out. */
export function readPage(text) {
  const headings = [];
  const sentences = [];
  let block = [];
  let first = 0;
  let fence;
  let comment = false;
  const end = () => {
    if (block.length > 0) sentences.push(...sentencesOf(block, first));
    block = [];
  };
  const lines = text.split("\n");
  const matter = lines[0] === "---" ? lines.indexOf("---", 1) : -1;
  for (const [index, line] of lines.entries()) {
    if (index <= matter) {
      const [, value] = /^\s*(?:tagline|details): (.*)$/.exec(line) ?? [];
      if (value !== undefined) sentences.push(...sentencesOf([value], index + 1));
      continue;
    }
    const [, mark] = /^\s*(```+|~~~+)/.exec(line) ?? [];
    if (fence !== undefined) {
      if (mark !== undefined && line.trim() === fence) fence = undefined;
      continue;
    }
    if (mark !== undefined) {
      end();
      fence = mark;
      continue;
    }
    if (comment || /^\s*<!--/.test(line)) {
      end();
      comment = !line.includes("-->");
      continue;
    }
    const [, heading] = /^#+ (.*?)(?: \{#[^}]*\})?$/.exec(line) ?? [];
    if (heading !== undefined) {
      end();
      headings.push({ line: index + 1, text: heading });
    } else if (/^\s*\|/.test(line)) {
      end();
      const { plain, restored } = withoutCode(line);
      if (!/^[\s|:-]*$/.test(line))
        for (const cell of plain.split(/(?<!\\)\|/))
          sentences.push(...sentencesOf([restored(cell)], index + 1).map((sentence) => ({ ...sentence, cell: true })));
    } else if (line.trim() === "" || /^\s*:::/.test(line)) {
      end();
    } else {
      const [, item] = /^\s*(?:[-*+]|\d+\.|>) +(.*)$/.exec(line) ?? [];
      if (item !== undefined) end();
      if (block.length === 0) first = index + 1;
      block.push(item ?? line);
    }
  }
  end();
  return { headings, sentences };
}

/** The docstrings of the exported names of a source and of their members, without their examples. */
export function readDocstrings(text) {
  const sentences = [];
  let exported = false;
  for (const match of text.matchAll(/^( *)\/\*\*([\s\S]*?)\*\/\n *([^\n]*)/gm)) {
    const [, indent, comment, next] = match;
    if (indent === "") exported = next.startsWith("export ");
    const declared =
      text
        .slice(0, match.index)
        .match(/^[a-z].*$/gm)
        ?.at(-1) ?? "";
    if (indent === "" ? !exported : !declared.startsWith("export ")) continue;
    let line = text.slice(0, match.index).split("\n").length;
    let block = [];
    let first = line;
    let fence = false;
    const end = () => {
      if (block.length > 0) sentences.push(...sentencesOf(block, first));
      block = [];
    };
    for (const raw of comment.split("\n")) {
      const plain = raw.replace(/^\s*\* ?/, "").trim();
      if (plain.startsWith("```")) fence = !fence;
      const [, tag, rest] = /^@(\w+)\s*(?:\{[^}]*\}\s*)?(.*)$/.exec(plain) ?? [];
      const [, item] = /^- +(.*)$/.exec(plain) ?? [];
      if (tag !== undefined || item !== undefined || plain === "" || plain.startsWith("```")) end();
      const spoken = tag === undefined ? (item ?? plain) : /^(?:example|see|internal|link)$/.test(tag) ? "" : rest;
      if (!fence && spoken !== "" && !spoken.startsWith("```")) {
        if (block.length === 0) first = line;
        block.push(spoken);
      }
      line++;
    }
    end();
  }
  return { headings: [], sentences };
}

/** What breaks a rule in a page or a source, as lines to print. */
export function faultsOf(file, { headings, sentences }) {
  const faults = [];
  const fault = ({ line, text }, rule) => faults.push(`${file}:${line}: ${text}\n    ${rule}`);
  for (const sentence of sentences) {
    const { plain, text } = sentence;
    if (sentence.words.length > longest) fault(sentence, `${sentence.words.length} words; at most ${longest}`);
    for (const [word, rule] of words) if (word.test(plain)) fault(sentence, rule);
    if (guide.test(file)) for (const [word, rule] of wordsOfGuides) if (word.test(text)) fault(sentence, rule);
    if (!plain.endsWith("?") && beginnings.test(plain)) fault(sentence, "begin with the actor or the effect");
    if (guide.test(file) && beginsWithPronoun(sentence)) fault(sentence, "begin with the noun");
    if (file.endsWith(".ts") && /^Has [\w`]/.test(text)) fault(sentence, "begin with a verb, not Has X do Y");
    if (!/^(?:tests\/contract|CONTRIBUTING)\.md$/.test(file) && /\bC\d{1,2}\.\d{1,2}\b/.test(text))
      fault(sentence, "no internal codes");
  }
  for (const heading of headings) {
    const { text } = heading;
    if (/[.:,;]$/.test(text)) fault(heading, "no full stop at the end of a heading");
    if (text.split(" ").length > (text.endsWith("?") ? 14 : 8))
      fault(heading, "a heading of at most 8 words; a question, 14");
    if (!text.endsWith("?") && /^(?:What|Who|Whoever|That|Those|Which|Of)\b/.test(text))
      fault(heading, "a heading that a searcher types");
    if (!/^(?:tests\/contract|CONTRIBUTING)\.md$/.test(file) && /\bC\d{1,2}\.\d{1,2}\b/.test(text))
      fault(heading, "no internal codes");
  }
  return faults;
}

/**
 * What is wrong with the index of the decisions: each record is there once, by its title, and its number is its own.
 */
export function faultsOfIndex(index, records) {
  const rows = [...index.matchAll(/^\| \[(\d{3})\]\(([^)]+)\) \| (.+?) \| .+? \|$/gm)];
  const faults = [];
  for (const [file, text] of records) {
    const own = rows.filter(([, , link]) => link === file);
    const [, number, title] = /^# (\d{3}) (.+)/.exec(text) ?? [];
    if (number === undefined || !file.startsWith(`${number}-`))
      faults.push(`${file}: its heading begins with "# NNN "`);
    else if (own.length !== 1) faults.push(`${file}: decisions/README.md lists it ${own.length} times; once`);
    else if (own[0][1] !== number || own[0][3] !== title) faults.push(`${file}: decisions/README.md has another title`);
    if (records.filter(([other]) => other.slice(0, 3) === file.slice(0, 3)).length > 1)
      faults.push(`${file}: another record has its number; take the next`);
  }
  for (const [, , link] of rows)
    if (!records.some(([file]) => file === link)) faults.push(`decisions/README.md: ${link} does not exist`);
  return faults;
}

/**
 * The record of a decision that takes more than 40 lines. A line of more than 150 columns counts as the lines that it
 * fills.
 */
export function longRecord(file, text) {
  const lines = text.trimEnd().split("\n");
  const filled = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / 150)), 0);
  return filled > 40 ? [`${file}: ${filled} lines; at most 40. Figures go to bench/results`] : [];
}

/**
 * The lines of a source with more than 120 columns. Regular expressions, directives and single words cannot be wrapped.
 */
export function wideLines(file, text) {
  return text.split("\n").flatMap((line, index) => {
    if (line.length <= 120 || /^\s*(?:\/[^/*]|\/\/ (?:oxlint-|@ts-)|(?:\/\/|\/?\*+) \S+$)/.test(line)) return [];
    return [`${file}:${index + 1}: ${line.length} columns; at most 120`];
  });
}

/** Beginnings of a comment whose noun is somewhere else: above it, or in the code below. */
const riddles = new RegExp(
  "^(?:" +
    [
      "(?:It|Its|They|Their|Them|Both|These|Those|This|That|Such|Neither|Either|Others|Whose|Of)\\b",
      "(?:One|Ones|Other|Another)(?=[,.;:]| " +
        "(?:that|who|whose|which|of|in|with|without|for|is|was|has|may|can|does|than)\\b)",
      "Which (?:is|are|was|were|has|have|does|do)\\b",
      "None\\b",
      // A word that leads to a pronoun, as in "Whether it fits".
      "[A-Z][a-z]{1,7} (?:it|its|they|their|them|those|others|one that|one of (?:them|these|those))\\b",
    ].join("|") +
    ")",
);

/** The comments of a source that begin with a pronoun, or with "Of": a newcomer has not read what it stands for. */
export function riddlesIn(file, text) {
  const lines = text.split("\n");
  return lines.flatMap((line, index) => {
    const isBlock = /^\s*\/\*\*?$/.test(line);
    const [, comment] = isBlock
      ? (/^\s*\* (.*)$/.exec(lines[index + 1] ?? "") ?? [])
      : (/^\s*(?:\/\/|\/\*\*?) (.*)$/.exec(line) ?? /[^:"'`\\]\/\/ (.*)$/.exec(line) ?? []);
    // A line that goes on with the comment above it.
    const goesOn = /^\s*\/\/ /.test(line) && /^\s*\/\/ /.test(lines[index - 1] ?? "");
    if (comment === undefined || goesOn || !riddles.test(comment)) return [];
    return [`${file}:${index + 1}: begin with the noun: ${comment}`];
  });
}

/**
 * The comments of a source that name a price (`PERF:`) without a figure or the program in the repository that measures
 * it, or a price of less than 3 %.
 */
export function pricesWithoutProof(file, text) {
  return [...text.matchAll(/PERF:((?:.|\n *(?:\*|\/\/) (?!PERF:|@))+)/g)].flatMap((found) => {
    const price = found[1].replaceAll(/\n *(?:\*|\/\/) /g, " ");
    const shares = [
      ...[...price.matchAll(/(\d[\d.]*) %/g)].map(([, percent]) => Number(percent)),
      ...[...price.matchAll(/(\d[\d.]*) (?:[a-z]+ )?of (\d[\d.,]*\d)/g)].map(
        ([, part, whole]) => (100 * Number(part)) / Number(whole.replaceAll(",", "")),
      ),
    ];
    const at = `${file}:${text.slice(0, found.index).split("\n").length}`;
    const [, program] = /`[^`]*?\b((?:bench|tests|scripts)\/[\w./-]+)/.exec(price) ?? [];
    return [
      ...(program !== undefined && existsSync(join(root, program))
        ? []
        : [`${at}: name the program that measures PERF`]),
      ...(figure.test(price.replaceAll(/`[^`]*`/g, "")) ? [] : [`${at}: PERF needs a share, or two figures`]),
      ...(shares.length > 0 && Math.max(...shares) < 3 ? [`${at}: PERF is for 3 % or more`] : []),
    ];
  });
}

/** A share, or a figure. */
const figure = /\d|\bhalf\b|\bthirds?\b|\bquarter\b|\bsquare\b/;

/** About as many syllables as a word has: groups of vowels, without a silent e at the end. */
function syllablesOf(word) {
  const letters = word.toLowerCase().replace(/[^a-z]/g, "");
  const groups = letters.replace(/(?:[^laeiouy]es|[^td]ed|[^laeiouy]e)$/, "").match(/[aeiouy]+/g);
  return Math.max(1, groups?.length ?? 1);
}

/**
 * Words, sentences and the Flesch-Kincaid grade. A piece of code is one word of no syllables; cells of tables are no
 * sentences.
 */
export function measure(everything) {
  const sentences = everything.filter(({ cell }) => cell !== true);
  const all = sentences.flatMap((sentence) => sentence.words);
  const spoken = all.filter((word) => !word.includes("\uE000") && /[a-z]/i.test(word));
  const syllables = spoken.reduce((sum, word) => sum + syllablesOf(word), 0);
  const mean = all.length / sentences.length;
  return {
    words: everything.reduce((sum, sentence) => sum + sentence.words.length, 0),
    sentences: sentences.length,
    mean,
    over: sentences.filter((sentence) => sentence.words.length > longest).length / sentences.length,
    grade: 0.39 * mean + 11.8 * (syllables / spoken.length) - 15.59,
  };
}

function filesOf(directory, ending) {
  return readdirSync(join(root, directory), { recursive: true })
    .map((file) => `${directory}/${file.replaceAll("\\", "/")}`)
    .filter((file) => file.endsWith(ending) && !/\/(?:node_modules|dist|\.[^/]*)\//.test(file))
    .toSorted();
}

function runAll(chosen) {
  // Not deeper: node_modules of an example leads back to this folder.
  const examples = readdirSync(join(root, "examples")).map((name) => `examples/${name}/README.md`);
  const inside = [
    "tests/README.md",
    "tests/contract.md",
    "tests/hostile-targets.md",
    "bench/README.md",
    ...examples.filter((file) => existsSync(join(root, file))),
  ];
  const pages = ["README.md", ...others, ...inside, ...filesOf("docs", ".md")];
  const sources = filesOf("src", ".ts").filter((file) => !/\.test(?:-d)?\.ts$/.test(file));
  const read = [...pages, ...sources].map((file) => {
    const text = readFileSync(join(root, file), "utf8");
    return [file, file.endsWith(".ts") ? readDocstrings(text) : readPage(text)];
  });
  const checked = chosen.length === 0 ? read : read.filter(([file]) => chosen.includes(file));
  let faults = 0;
  for (const [file, content] of checked) {
    const found = faultsOf(file, content);
    faults += found.length;
    for (const fault of found) console.error(fault);
  }
  const records = readdirSync(join(root, "decisions")).filter((file) => file !== "README.md");
  const textOf = (file) => readFileSync(join(root, "decisions", file), "utf8");
  const more = faultsOfIndex(
    textOf("README.md"),
    records.map((file) => [file, textOf(file)]),
  );
  more.push(...records.flatMap((file) => longRecord(`decisions/${file}`, textOf(file))));
  const code = ["src", "tests", "scripts", "bench"].flatMap((folder) => [
    ...filesOf(folder, ".ts"),
    ...filesOf(folder, ".js"),
  ]);
  more.push(...code.flatMap((file) => wideLines(file, readFileSync(join(root, file), "utf8"))));
  const spoken = [...filesOf("src", ".ts"), ...filesOf("scripts", ".js")];
  more.push(...spoken.flatMap((file) => riddlesIn(file, readFileSync(join(root, file), "utf8"))));
  const priced = filesOf("src", ".ts");
  more.push(...priced.flatMap((file) => pricesWithoutProof(file, readFileSync(join(root, file), "utf8"))));
  const guides = read.filter(([file]) => guide.test(file));
  const shares = sharesOf(guides.flatMap(([, { sentences }]) => sentences));
  if (shares.sentences >= 20) more.push(...faultsOfShares("the guides", shares, bounds.all));
  for (const [file, { sentences }] of guides)
    if (sharesOf(sentences).sentences >= 20) more.push(...faultsOfShares(file, sharesOf(sentences), bounds.page));
  faults += more.length;
  for (const fault of more) console.error(fault);
  const groups = [
    ["README and guide", ([file]) => !file.endsWith(".ts") && !reference.test(file)],
    ["other pages", ([file]) => reference.test(file)],
    ["docstrings", ([file]) => file.endsWith(".ts")],
  ];
  for (const [name, has] of groups) {
    const files = read.filter(has);
    const found = measure(files.flatMap(([, { sentences }]) => sentences));
    const share = (found.over * 100).toFixed(1);
    console.log(
      `${name}: ${files.length} files, ${found.words} words, ${found.mean.toFixed(1)} a sentence, ${share} % over ` +
        `${longest}, grade ${found.grade.toFixed(1)}`,
    );
  }
  console.log(lineOfShares("guides", shares));
  console.log(`prose: ${checked.length} files checked, ${faults} faults`);
  process.exitCode = faults === 0 ? 0 : 1;
}

/** Prints the shares of the pages below a folder. Marks of other page builders are left out. */
function printShares(folder) {
  const pages = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith(".md"));
  const sentences = pages.flatMap((file) => {
    const text = readFileSync(join(folder, file), "utf8").replaceAll(/^\s*(?:\/\/\/.*|\{\*.*\*\})$/gm, "");
    return readPage(text).sentences;
  });
  console.log(lineOfShares(`${folder}, ${pages.length} pages`, sharesOf(sentences)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const chosen = process.argv.slice(2);
  const [, folder] = /^--shares=(.+)$/.exec(chosen[0] ?? "") ?? [];
  if (folder === undefined) runAll(chosen);
  else printShares(folder);
}
