/*
 * The loop around a candidate is made from source text, as the functions that read params are (`candidate.js`). Those
 * of an adapter's expressions that ask its router stand in it as a user would write them.
 */

/** How the loop makes its string: a slice of a long text, as a server gets it. */
const modes = {
  url: { prefix: (at) => `http://host${at % 10}.example.com`, suffix: "?q=1" },
  urlnq: { prefix: (at) => `http://host${at % 10}.example.com`, suffix: "" },
  slice: { prefix: () => "", suffix: "" },
  target: { prefix: () => "", suffix: "?q=1" },
};
export const modeNames = Object.keys(modes);

/** What the loop does with the string before it asks the router, and with the answer. */
const extractions = {
  path: {
    url:
      'const from = url.indexOf("/", 8); const to = url.indexOf("?", from); const path = to < 0 ? url.slice(from) ' +
      ": " +
      "url.slice(from, to);",
    target: 'const to = url.indexOf("?"); const path = to < 0 ? url : url.slice(0, to);',
    slice: "const path = url;",
  },
  target: {
    url: 'const path = url.slice(url.indexOf("/", 8));',
    target: "const path = url;",
    slice: "const path = url;",
  },
  url: { url: "const path = url;", target: "const path = url;", slice: "const path = url;" },
};

const consumptions = {
  read: (handler) => `const handler = ${handler}; sum += handler.id + handler.read(found);`,
  match: (handler) => `sum += ${handler}.id;`,
  collect: (handler) => `const handler = ${handler};
    values.push(handler === undefined ? null : { id: handler.id, values: handler.values(found) });`,
};

/** How many loops were made: engines know functions of the same text as one, and what they have learned about it. */
let made = 0;

/**
 * Makes the loop of a candidate: `run(count)`, and `collect(count)` for what it answers to each of the first inputs.
 */
export function loopOf(adapter, router, inputs, mode, consumption) {
  const strings = inputs.map(({ path }, at) => modes[mode].prefix(at) + path + modes[mode].suffix);
  const offsets = Int32Array.from(strings, () => 0);
  strings.reduce((offset, string, at) => (offsets[at] = offset) + string.length, 0);
  const scope = {
    ...router,
    text: strings.join(""),
    offsets,
    lengths: Int32Array.from(strings, (string) => string.length),
    methods: inputs.map(({ method }) => method),
  };
  const extraction = mode === "urlnq" ? "url" : mode;
  const find = typeof adapter.find === "string" ? adapter.find : adapter.find[extraction];
  // A router that can leave params alone is not asked for them by a loop that reads none.
  const finding = (consumed) => (consumed === "match" ? (adapter.findOnly ?? find) : find);
  const source = (consumed) => `
    /* ${adapter.name}, ${++made} */
    let cursor = 0;
    return (count) => {
      let sum = 0;
      const values = [];
      for (let step = 0; step < count; step++) {
        const at = cursor;
        cursor = at + 1 === ${inputs.length} ? 0 : at + 1;
        const method = methods[at];
        const url = text.slice(offsets[at], offsets[at] + lengths[at]);
        ${extractions[adapter.takes][extraction]}
        const found = ${finding(consumed)};
        ${adapter.resolve ?? ""}
        if (${adapter.isMiss}) { sum += 1; ${consumed === "collect" ? "values.push(null);" : ""} }
        else { ${consumptions[consumed](adapter.handler)} }
      }
      return ${consumed === "collect" ? "values" : "sum"};
    };`;
  const compiled = (consumed) => new Function(...Object.keys(scope), source(consumed))(...Object.values(scope));
  const collect = compiled("collect");
  return { run: compiled(consumption), collect };
}

/**
 * The loop of no router at all: what every other one costs besides. It allocates nothing but the string, whatever is
 * consumed.
 */
const base = {
  name: "base",
  takes: "url",
  spell: {},
  find: "url",
  isMiss: "found.length === 0",
  handler: "(sum += found.length + method.length, nothing)",
};

const nothing = { id: 0, read: () => 0, values: () => [] };

export const baseLoopOf = (inputs, mode, consumption) => loopOf(base, { nothing }, inputs, mode, consumption);
