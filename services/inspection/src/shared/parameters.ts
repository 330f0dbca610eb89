import {
  dateAdvice,
  GrammarError,
  parseAttributeSelection,
  parseDateTime,
  parseList,
  parseSearchCondition,
  parseUnmarkedPath,
  storedPartPath,
  toPostgresTimestamp,
  type AttributeSelection,
} from '@sinebar/query-language';
import { grammarParameter, quoted } from '@sinebar/http';
import { z } from 'zod';

/** Parses `partPath` into a stored path. */
export const partPathParameter = grammarParameter((text) => storedPartPath(parseUnmarkedPath(text)));

export const attributeSelectionParameter = grammarParameter(parseAttributeSelection);
export const searchConditionParameter = grammarParameter(parseSearchCondition);

/** Parses a date-time in the form that search conditions have. */
export const dateParameter = z.string().transform((written, context) => {
  const text = written.trim();
  const instant = parseDateTime(text);
  if (instant) return { text, instant };
  context.addIssue({ code: 'custom', message: `must be a date such as 2024-01-31T08:05:00Z, not ${quoted(written)}${dateAdvice(text)}` });
  return z.NEVER;
});

/** Parses a date-time into the form of `toPostgresTimestamp`. */
export const timestampParameter = dateParameter.transform(({ instant }) => toPostgresTimestamp(instant));

/** Parses a date-time into ISO 8601 in UTC, with milliseconds. */
export const timeParameter = dateParameter.transform(({ instant }) => new Date(instant.epochMs).toISOString());

/** Most characters of a comment, which is stored unchanged. */
const MAX_COMMENT_LENGTH = 4000;
export const commentSchema = z
  .string('must be a text')
  .max(MAX_COMMENT_LENGTH, `is longer than ${MAX_COMMENT_LENGTH} characters`)
  // Half of a surrogate pair has no UTF-8 form, so the stored text would differ from the one sent.
  .refine((text) => !/\p{Surrogate}/u.test(text), 'contains half of a surrogate pair')
  .nullish();

export const selectionOf = (selection: AttributeSelection | undefined): AttributeSelection => selection ?? 'all';

/** A whole number as a parameter of an address. */
export function wholeNumberParameter(least: number, most: number) {
  const message = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\s*\d{1,9}\s*$/, message)
    .transform(Number)
    .refine((number) => number >= least && number <= most, message);
}

/** A list of words in any case, `{a,b}` with optional braces. */
export function wordsParameter<const T extends string>(known: readonly T[]) {
  return grammarParameter((text): T[] =>
    parseList(text).map((written) => {
      const word = known.find((each) => each.toLowerCase() === written.toLowerCase());
      if (word === undefined) throw new GrammarError(`must be a list of ${known.join(', ')}; ${JSON.stringify(written)} is none`, 0);
      return word;
    }),
  );
}
