const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const MONTH = `(?<month>${MONTHS.join('|')})`;
const TIME = String.raw`(?<hour>[01]\d|2[0-3]):(?<minute>[0-5]\d):(?<second>[0-5]\d|60)`;
const FORMS = [
  // Fri, 20 Nov 2026 10:00:00 GMT
  String.raw`(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?<day>\d\d) ${MONTH} (?<year>\d{4}) ${TIME} GMT`,
  // Friday, 20-Nov-26 10:00:00 GMT
  String.raw`(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>\d\d)-${MONTH}-(?<year>\d\d) ${TIME} GMT`,
  // Fri Nov 20 10:00:00 2026
  String.raw`(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${MONTH} (?<day>[ \d]\d) ${TIME} (?<year>\d{4})`,
].map((form) => new RegExp(`^${form}$`));
/** A year of two digits is at most this far ahead. */
const MAX_YEARS_AHEAD = 50;

/**
 * Reads an HTTP-date in one of its three forms (RFC 9110, 5.6.7).
 * @returns milliseconds since 1970; `undefined` for every other text
 */
export function parseHttpDate(text: string | undefined, thisYear = new Date().getUTCFullYear()): number | undefined {
  const fields = FORMS.map((form) => form.exec(text ?? '')?.groups).find((groups) => groups !== undefined);
  if (!fields) return undefined;
  const [day, hour, minute, second] = ['day', 'hour', 'minute', 'second'].map((name) => Number(fields[name])) as [
    number,
    number,
    number,
    number,
  ];
  const date = new Date(0);
  date.setUTCFullYear(yearOf(fields['year'] as string, thisYear), MONTHS.indexOf(fields['month'] as string), day);
  return date.getUTCDate() === day ? date.setUTCHours(hour, minute, second) : undefined;
}

function yearOf(digits: string, thisYear: number): number {
  if (digits.length === 4) return Number(digits);
  const year = thisYear - (thisYear % 100) + Number(digits);
  return year > thisYear + MAX_YEARS_AHEAD ? year - 100 : year;
}
