import { discardAll } from "../../formats/multipart/discards.ts";
import type { Part } from "../../formats/multipart/part.ts";
import { readParts, type PartsOfOptions } from "../../formats/multipart/parts.ts";
import { nowhere } from "../../formats/multipart/sink.ts";
import { HTTPError } from "../../http/protocol/http-error.ts";
import { pointerOf } from "../../json-schema/value/json-pointer.ts";
import { jsonSchemaOf, vendorOf, type StandardSchema } from "../../json-schema/shape/standard-schema.ts";
import type { FormField, FormMember } from "../declaration/form-content.ts";
import { failuresOf, type Failure } from "../../json-schema/library/issues.ts";
import { TextReader, type TextFailure } from "../../json-schema/text/text-reader.ts";
import { emptyValues } from "../../json-schema/text/text-values.ts";
import { refusedContent } from "./read-taken.ts";
import { discardsOf } from "./stored-files.ts";
import { validated } from "../../json-schema/shape/validation.ts";

export class FormReader {
  readonly #members: ReadonlyMap<string, FormMember>;
  readonly #limits: PartsOfOptions;
  readonly #readers = new Map<string, TextReader>();

  constructor(members: ReadonlyMap<string, FormMember>, limits: Omit<PartsOfOptions, "maxFileBytes">) {
    this.#members = members;
    const files = [...members.values()].map((member) => (member.schema === null ? member.maxBytes : 0));
    this.#limits = { ...limits, maxFileBytes: Math.max(...files) };
  }

  async read(input: object): Promise<unknown> {
    const discards = discardsOf(input);
    const all = discards ?? [];
    const came = {
      texts: new Map<string, string[]>(),
      files: new Map<string, object[]>(),
      unread: [] as TextFailure[],
    };
    const isFile = ({ name, fileName }: Pick<Part, "name" | "fileName">): boolean =>
      fileName !== undefined && !this.#readerOf(name)?.takesJson(name);
    for await (const part of readParts(input, this.#limits, all, isFile))
      await this.#take(part, came, discards === null);
    const faulty = new Set(came.unread.map(({ path }) => path[0]));
    const missing = [...this.#members].filter(
      ([name, { schema, isRequired }]) => schema === null && isRequired && !faulty.has(name) && !came.files.has(name),
    );
    const absent = missing.map(([name]) => ({ path: [name], detail: "Expected a file" }));
    const unread = [...came.unread, ...(came.unread.length > 0 ? [] : absent)];
    const failures = failuresOf("content", { vendor: "fingerpost", sent: undefined, issues: [], unread });
    const values = emptyValues();
    try {
      for (const [name, member] of this.#members) {
        if (faulty.has(name)) continue;
        const files = came.files.get(name) ?? [];
        const value =
          member.schema !== null
            ? await this.#fieldOf(name, member, came.texts.get(name) ?? [], failures)
            : member.maxFiles === null
              ? files[0]
              : files;
        if (value !== undefined) values[name] = value;
      }
      if (failures.length > 0) throw refusedContent(failures);
    } catch (error) {
      await discardAll(all);
      throw error;
    }
    return values;
  }

  /** Reads a part. After the first fault, no file is stored any more. */
  async #take(part: Part, { texts, files, unread }: Came, isDry: boolean): Promise<void> {
    const { name, fileName } = part;
    const member = this.#members.get(name);
    const refuse = (detail: string): void => void unread.push({ path: [name], detail });
    if (member === undefined) return refuse("The form has no such member");
    if (member.schema !== null) {
      // Browsers send JSON as a file, which they call "blob" (XMLHttpRequest §4.3).
      if (fileName !== undefined && !this.#readerOf(name)!.takesJson(name))
        return refuse("Expected a field, and not a file");
      const known = texts.get(name) ?? [];
      known.push(await part.text());
      return void texts.set(name, known);
    }
    if (await part.isLeftEmpty()) return undefined;
    if (fileName === undefined) return refuse("Expected a file");
    const known = files.get(name) ?? [];
    if (known.length === (member.maxFiles ?? 1)) {
      return refuse(
        member.maxFiles === null ? "Expected one file, and not several" : `Expected at most ${member.maxFiles} files`,
      );
    }
    if (unread.length > 0) return undefined;
    try {
      const { types, maxBytes, sink } = member;
      known.push(await part.store(isDry ? nowhere : sink, { types, maxBytes }));
      files.set(name, known);
    } catch (error) {
      if (!(error instanceof HTTPError) || error.status !== 422) throw error;
      refuse(error.message);
    }
  }

  /** Null for a file, and for what is not declared. */
  #readerOf(name: string): TextReader | null {
    const member = this.#members.get(name) ?? { schema: null };
    if (member.schema === null) return null;
    const reader = this.#readers.get(name) ?? readerOf(name, member.schema, (member as FormField).isRequired);
    this.#readers.set(name, reader);
    return reader;
  }

  async #fieldOf(name: string, { schema }: FormField, texts: readonly string[], failures: Failure[]): Promise<unknown> {
    const { values, failures: unread } = await this.#readerOf(name)!.readForm(
      texts.map((text) => [name, text] as const),
    );
    const sent = values[name];
    const outcome = unread.length > 0 ? { issues: [] } : await validated(schema, sent);
    if (outcome.issues === undefined) return outcome.value;
    const found = failuresOf("content", { vendor: vendorOf(schema), schema, sent, issues: outcome.issues });
    failures.push(
      ...failuresOf("content", { vendor: "fingerpost", sent, issues: [], unread }),
      ...found.map((failure) => ({ ...failure, pointer: pointerOf([name]) + failure.pointer.slice(1) })),
    );
    return undefined;
  }
}

interface Came {
  readonly texts: Map<string, string[]>;
  readonly files: Map<string, object[]>;
  readonly unread: TextFailure[];
}

function readerOf(name: string, schema: StandardSchema, isRequired: boolean): TextReader {
  const shown = jsonSchemaOf(schema, "input");
  const { $defs, definitions } = shown ?? {};
  const required = isRequired ? [name] : [];
  // References lead to the root.
  const root = { type: "object", properties: { [name]: shown }, required, $defs, definitions };
  return new TextReader(shown && root, "form");
}
