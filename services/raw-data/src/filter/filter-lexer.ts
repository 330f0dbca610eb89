import { GrammarError } from '@sinebar/query-language';

export type Token =
  | { kind: 'word'; text: string; position: number }
  | { kind: 'text'; text: string; position: number }
  | { kind: 'number'; text: string; position: number }
  | { kind: 'date'; text: string; position: number }
  | { kind: '(' | ')' | ',' | 'end'; text: string; position: number };

/** A date may be followed by the offset whose `+` an address turned into a blank; the parser says so. */
const PATTERN =
  /\s*(?:(?<word>[A-Za-z][A-Za-z0-9]*)|(?<date>\d{4}-\d\d-\d\d[0-9T:.Z+-]*(?: \d\d:\d\d)?)|(?<number>[+-]?\d+(?:\.\d+)?)(?![\w.])|'(?<text>(?:[^']|'')*)'|(?<sign>[(),]))/y;

/**
 * Splits a filter into words, values and signs.
 * @throws GrammarError at the first character that begins none of them
 * spec: raw-data-service.md, Filter syntax
 */
export function readTokens(filter: string): Token[] {
  const tokens: Token[] = [];
  const pattern = new RegExp(PATTERN);
  const end = filter.trimEnd().length;
  while (pattern.lastIndex < end) {
    const from = pattern.lastIndex;
    const match = pattern.exec(filter);
    if (!match?.groups) throw unreadable(filter, from);
    const { word, date, number, text, sign } = match.groups;
    const position = from + match[0].length - match[0].trimStart().length;
    if (word !== undefined) tokens.push({ kind: 'word', text: word, position });
    else if (date !== undefined) tokens.push({ kind: 'date', text: date, position });
    else if (number !== undefined) tokens.push({ kind: 'number', text: number, position });
    else if (text !== undefined) tokens.push({ kind: 'text', text: text.replace(/''/g, "'"), position });
    else if (sign !== undefined) tokens.push({ kind: sign as '(' | ')' | ',', text: sign, position });
  }
  tokens.push({ kind: 'end', text: '', position: filter.length });
  return tokens;
}

function unreadable(filter: string, from: number): GrammarError {
  const position = from + filter.slice(from).length - filter.slice(from).trimStart().length;
  if (filter[position] === "'") return new GrammarError('the text that begins here has no closing quotation mark', position);
  return new GrammarError(
    `${JSON.stringify(filter.slice(position, position + 20))} is neither a name, a value nor a sign of the filter language`,
    position,
  );
}
