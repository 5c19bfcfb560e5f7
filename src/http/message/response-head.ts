import { FieldList, fieldName, fieldValue, pairsOf } from "../answer/field-list.ts";
import { isHeaders } from "../javascript/any-realm.ts";
import { ownOf } from "../javascript/property.ts";

interface Head {
  readonly status: number;
  readonly statusText: string;
  /** Names and values in turn. */
  readonly fields: readonly string[];
}

const plainHead: Head = { status: 200, statusText: "", fields: [] };

/** What a response is made with where the platform judges it. Each member was read once: there may be getters. */
interface JudgedHead {
  readonly fields: null;
  readonly init: unknown;
}

/** Reads what a response is made with, in the order of Web IDL. */
export function headOf(init: unknown): Head | JudgedHead {
  if (init === undefined || init === null) return plainHead;
  if (typeof init !== "object") return { fields: null, init };
  const { headers, status = 200, statusText = "" } = init as Partial<Record<string, unknown>>;
  const entries = headers === undefined ? none : entriesOf(headers);
  const isPlain = Number.isInteger(status) && (status as number) >= 200 && (status as number) <= 599;
  const fields = isPlain && typeof statusText === "string" && fieldText.test(statusText) ? fieldsOf(entries) : null;
  return fields === null
    ? { fields, init: ownOf({ headers: entries, status, statusText }) }
    : { status: status as number, statusText: statusText as string, fields };
}

/** Returns what the platform makes a response with. */
export function initOf(head: Head | JudgedHead): ResponseInit {
  if (head.fields === null) return head.init as ResponseInit;
  return { status: head.status, statusText: head.statusText, headers: pairsOf(head.fields) };
}

const none: readonly never[] = [];
const fieldText = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Reads names and values. What is neither `Headers`, a list nor a record is returned as it is, for the platform. */
function entriesOf(headers: unknown): unknown {
  if (Array.isArray(headers)) return Array.from(headers, (pair: unknown) => (Array.isArray(pair) ? [...pair] : pair));
  if (isHeaders(headers) || typeof headers !== "object" || headers === null) return headers;
  const isRecord = !(Symbol.iterator in headers) && Object.getOwnPropertySymbols(headers).length === 0;
  return isRecord ? Object.entries(headers) : headers;
}

/** Fields as names and values by turns; null where they are for the platform to judge. */
function fieldsOf(entries: unknown): string[] | null {
  if (entries instanceof FieldList) return entries.lines;
  if (isHeaders(entries)) return [...entries].flat();
  if (!Array.isArray(entries)) return null;
  const fields: string[] = [];
  for (const entry of entries as unknown[]) {
    if (!Array.isArray(entry) || entry.length !== 2) return null;
    const [name, value] = entry as [unknown, unknown];
    if (typeof name !== "string" || !fieldName.test(name)) return null;
    if (typeof value === "number") fields.push(name.toLowerCase(), String(value));
    else if (typeof value === "string" && fieldValue.test(value)) fields.push(name.toLowerCase(), value);
    else return null;
  }
  return fields;
}

/** Returns whether fields have a media type. */
export function hasType(fields: readonly string[]): boolean {
  for (let at = 0; at < fields.length; at += 2) if (fields[at] === "content-type") return true;
  return false;
}
