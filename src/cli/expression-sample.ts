/** The repeated part of a sequence: alternatives, one of some characters, or nothing for an assertion. */
interface Item {
  readonly alternatives: readonly (readonly Item[])[];
  readonly characters: string;
  readonly least: number;
  readonly most: number;
}

const pool = "ax7-Z_.~0b9Y!$&'()*+,;=:@/%cdefghijklmnopqrstuvwyzABCDEFGHIJKLMNOPQRSTUVWX1234568";
const quantifierAt = /(?:[*+?]|\{\d+(?:,\d*)?\})\??/y;
const prefixAt = /\?(?:[:=!]|<[=!]|<[^>]*>|[a-z-]*:)/y;
const escapeAt = /\\(?:u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|c[A-Za-z]|.)/sy;

/** Makes texts that an expression of a path pattern may match: good guesses, to be tried. */
export class ExpressionSampler {
  readonly #source: string;
  readonly #alternatives: readonly (readonly Item[])[];
  #at = 0;

  constructor(source: string) {
    this.#source = source;
    this.#alternatives = this.#read();
  }

  /** @param random returns numbers from 0 up to, not including, its argument. */
  sample(random: (below: number) => number): string {
    return oneOf(this.#alternatives, random);
  }

  #read(): Item[][] {
    const alternatives: Item[][] = [[]];
    while (this.#at < this.#source.length && this.#source[this.#at] !== ")") {
      if (this.#source[this.#at] === "|") {
        alternatives.push([]);
        this.#at++;
      } else alternatives.at(-1)!.push(this.#item());
    }
    return alternatives;
  }

  #item(): Item {
    const from = this.#at;
    const character = this.#source[from]!;
    let alternatives: readonly (readonly Item[])[] = [];
    let characters = "";
    if (character === "(") {
      this.#at++;
      const prefix = this.#take(prefixAt);
      const inside = this.#read();
      this.#at++;
      // What looks ahead or back takes nothing.
      if (!/[=!]$/.test(prefix)) alternatives = inside;
    } else if (character === "^" || character === "$") {
      this.#at++;
    } else {
      if (character === "[") this.#at = endOfClass(this.#source, from);
      else if (character === "\\") this.#take(escapeAt);
      else this.#at++;
      characters = charactersOf(this.#source.slice(from, this.#at));
    }
    const quantifier = this.#take(quantifierAt);
    return { alternatives, characters, ...boundsOf(quantifier) };
  }

  #take(expression: RegExp): string {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#source)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }
}

function oneOf(alternatives: readonly (readonly Item[])[], random: (below: number) => number): string {
  if (alternatives.length === 0) return "";
  const items = alternatives[random(alternatives.length)]!;
  return items
    .map(({ alternatives: inside, characters, least, most }) => {
      let text = "";
      for (let count = least + random(most - least + 1); count > 0; count--) {
        text += characters === "" ? oneOf(inside, random) : characters[random(characters.length)]!;
      }
      return text;
    })
    .join("");
}

function boundsOf(quantifier: string): { least: number; most: number } {
  if (quantifier === "") return { least: 1, most: 1 };
  if (quantifier[0] === "?") return { least: 0, most: 1 };
  if (quantifier[0] === "*") return { least: 0, most: 3 };
  if (quantifier[0] === "+") return { least: 1, most: 4 };
  const [least, most] = quantifier.slice(1, quantifier.indexOf("}")).split(",");
  return { least: Number(least), most: most === undefined ? Number(least) : Number(most || Number(least) + 3) };
}

function endOfClass(source: string, open: number): number {
  let at = open + 1;
  while (source[at] !== "]") at += source[at] === "\\" ? 2 : 1;
  return at + 1;
}

/** Returns the characters that an atom matches. Tries them all, because that is how they are defined. */
function charactersOf(atom: string): string {
  const one = new RegExp(`^(?:${atom})$`);
  return [...pool].filter((character) => one.test(character)).join("") || (atom.length === 1 ? atom : "");
}
