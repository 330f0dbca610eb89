import { DecimalText, nearestName, quoted } from '@sinebar/http';
import { parseDateTime } from '@sinebar/query-language';
import { z } from 'zod';

const MAX_TEXT = 4000;

/** An object whose unknown members are refused; the message names the nearest known one. Members that are `null` are left out. */
export function strictMembers<S extends z.ZodRawShape>(shape: S) {
  const names = Object.keys(shape);
  return z.preprocess(
    withoutNulls,
    z.strictObject(shape, {
      error: (issue) => (issue.code === 'unrecognized_keys' ? unknownMember(issue.keys[0] ?? '', names) : 'must be a JSON object'),
    }),
  );
}

function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}

function unknownMember(written: string, names: readonly string[]): string {
  const nearest = nearestName(written, names);
  return `the member ${quoted(written)} is not known; ${nearest === undefined ? `the members are ${names.join(', ')}` : `the nearest one is ${nearest}`}`;
}

/** A number of a body. @param bounds both included, unless `above` is given, which is not */
export function numberMember({ min = -Infinity, max = Infinity, above = -Infinity }: { min?: number; max?: number; above?: number } = {}) {
  const from = above === -Infinity ? (min === -Infinity ? '' : ` from ${min}`) : ` above ${above}`;
  const expected = `must be a number${from}${max === Infinity ? '' : ` up to ${max}`}`;
  return z
    .unknown()
    .transform((value, context): number => {
      const number = value instanceof DecimalText ? Number(value.text) : value;
      if (typeof number === 'number' && Number.isFinite(number) && number >= min && number > above && number <= max) return number;
      context.addIssue({ code: 'custom', message: value === undefined ? `is missing; it ${expected}` : expected });
      return z.NEVER;
    })
    .meta({ type: 'number' });
}

/** A text that PostgreSQL stores unchanged. */
export function textMember(maxLength = MAX_TEXT) {
  return z
    .string('must be a text')
    .min(1, 'is empty')
    .max(maxLength, `is longer than ${maxLength} characters`)
    .refine((text) => !/\p{Surrogate}/u.test(text), 'contains half of a surrogate pair')
    .refine((text) => !text.includes('\0'), 'contains the character U+0000');
}

/** A reason of a change. */
export const reasonMember = textMember().refine((text) => text.trim() !== '', 'is empty; say why this is changed');

export function wordMember<const T extends string>(words: readonly T[]) {
  const message = `must be one of ${words.join(', ')}`;
  return z.string(message).transform((text, context): T => {
    const word = words.find((known) => known.toLowerCase() === text.toLowerCase());
    if (word !== undefined) return word;
    const nearest = nearestName(text, words);
    context.addIssue({
      code: 'custom',
      message: `${message}, not ${quoted(text)}${nearest === undefined ? '' : `; the nearest one is ${nearest}`}`,
    });
    return z.NEVER;
  });
}

/** A time, stored in UTC with milliseconds. */
export const timeMember = z.string('must be a date such as 2024-01-31T08:05:00Z').transform((text, context): string => {
  const instant = parseDateTime(text.trim());
  if (instant) return new Date(instant.epochMs).toISOString();
  context.addIssue({ code: 'custom', message: `must be a date such as 2024-01-31T08:05:00Z, not ${quoted(text)}` });
  return z.NEVER;
});
