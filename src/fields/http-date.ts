const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const time = String.raw`(\d\d):(\d\d):(\d\d)`;
const fixed = new RegExp(String.raw`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d\d) ([A-Z][a-z]{2}) (\d{4}) ${time} GMT$`);
const rfc850 = new RegExp(
  String.raw`^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (\d\d)-([A-Z][a-z]{2})-(\d\d) ${time} GMT$`,
);
const asctime = new RegExp(String.raw`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ([A-Z][a-z]{2}) ([ \d]\d) ${time} (\d{4})$`);

/**
 * Reads an HTTP-date in any of its three forms (RFC 9110 §5.6.7); null when it is invalid, or names a day that does not
 * exist.
 * @param now decides which century the two digits of an obsolete date mean: none more than 50 years ahead.
 */
export function parseHttpDate(value: string, now: Date = new Date()): Date | null {
  const [, ...parts] = fixed.exec(value) ?? rfc850.exec(value) ?? [];
  if (parts.length > 0) {
    const [day, month, year, ...clock] = parts as [string, string, string, ...string[]];
    return dateOf(year.length === 2 ? inCentury(Number(year), now) : Number(year), month, Number(day), clock);
  }
  const [, month, day, hour, minute, second, year] = asctime.exec(value) ?? [];
  return month === undefined ? null : dateOf(Number(year), month, Number(day), [hour!, minute!, second!]);
}

/** Writes a date as an HTTP-date, in the form that all must generate (RFC 9110 §5.6.7). */
export function formatHttpDate(date: Date): string {
  return date.toUTCString();
}

function inCentury(twoDigits: number, now: Date): number {
  const thisYear = now.getUTCFullYear();
  const year = thisYear - (thisYear % 100) + twoDigits;
  if (year > thisYear + 50) return year - 100;
  return year <= thisYear - 50 ? year + 100 : year;
}

function dateOf(year: number, monthName: string, day: number, clock: readonly string[]): Date | null {
  const month = months.indexOf(monthName);
  const [hour, minute, second] = clock.map(Number) as [number, number, number];
  // The grammar has a sixtieth second, for leap seconds; dates here have not.
  if (hour > 23 || minute > 59 || second > 60) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  // A day that does not exist is a day of another month, and so is any day of a month that does not exist.
  if (date.getUTCMonth() !== month) return null;
  date.setUTCHours(hour, minute, Math.min(second, 59));
  return date;
}

const dateFields = /^(?:date|expires|last-modified|memento-datetime|retry-after|sunset)$/i;

/** Returns whether the value of a field is an HTTP-date where it is a date (RFC 9110 §5.6.7). */
export function isDateField(name: string): boolean {
  return dateFields.test(name);
}
