import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { z } from 'zod';

const FOLDER = join(import.meta.dirname, '../../../.github/ISSUE_TEMPLATE');
const read = (name: string): unknown => parse(readFileSync(join(FOLDER, name), 'utf8'));

/** The schema of GitHub's issue forms, as its page "Syntax for issue forms" describes it; GitHub shows a form that breaks it to nobody. */
const text = z.string().min(1);
const id = z.string().regex(/^[\w-]+$/);
const validations = z.strictObject({ required: z.boolean() });
const distinct = <T extends z.ZodType>(item: T) =>
  z
    .array(item)
    .min(1)
    .refine((list) => new Set(list.map((option) => JSON.stringify(option))).size === list.length, 'options repeat');
const element = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('markdown'), attributes: z.strictObject({ value: text }) }),
  z.strictObject({
    type: z.literal('textarea'),
    id: id.optional(),
    attributes: z.strictObject({
      label: text,
      description: text.optional(),
      placeholder: text.optional(),
      value: text.optional(),
      render: text.optional(),
    }),
    validations: validations.optional(),
  }),
  z.strictObject({
    type: z.literal('input'),
    id: id.optional(),
    attributes: z.strictObject({ label: text, description: text.optional(), placeholder: text.optional(), value: text.optional() }),
    validations: validations.optional(),
  }),
  z.strictObject({
    type: z.literal('dropdown'),
    id: id.optional(),
    attributes: z.strictObject({
      label: text,
      description: text.optional(),
      multiple: z.boolean().optional(),
      options: distinct(text),
      default: z.int().min(0).optional(),
    }),
    validations: validations.optional(),
  }),
  z.strictObject({
    type: z.literal('checkboxes'),
    id: id.optional(),
    attributes: z.strictObject({
      label: text,
      description: text.optional(),
      options: distinct(z.strictObject({ label: text, required: z.boolean().optional() })),
    }),
  }),
]);
const unique = (values: readonly unknown[]) => new Set(values).size === values.length;
const form = z.strictObject({
  name: text,
  description: text,
  title: text.optional(),
  labels: z.array(text).optional(),
  assignees: z.array(text).optional(),
  body: z
    .array(element)
    .min(1)
    .refine((body) => unique(body.flatMap((item) => ('id' in item && item.id !== undefined ? item.id : []))), 'ids repeat')
    .refine((body) => unique(body.flatMap((item) => ('label' in item.attributes ? item.attributes.label : []))), 'labels repeat')
    .refine((body) => body.some(({ type }) => type !== 'markdown'), 'nothing can be filled in'),
});
const config = z.strictObject({
  blank_issues_enabled: z.boolean().optional(),
  contact_links: z.array(z.strictObject({ name: text, url: z.url(), about: text })).optional(),
});
const problemsOf = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues.map(({ message }) => message) ?? [];

describe('the forms of issues', () => {
  const names = readdirSync(FOLDER).filter((name) => name !== 'config.yml');

  it.each(names)('%s fits the schema of GitHub', (name) => {
    expect(name).toMatch(/\.yml$/);
    expect(problemsOf(form, read(name))).toEqual([]);
  });

  it('have a configuration that fits its schema', () => {
    expect(problemsOf(config, read('config.yml'))).toEqual([]);
  });

  it('have names of their own', () => {
    expect(names.length).toBeGreaterThan(1);
    expect(unique(names.map((name) => (read(name) as { name: string }).name))).toBe(true);
  });

  it('would be refused with an element that GitHub does not know, a repeated id, or nothing to fill in', () => {
    const filled = { type: 'input', id: 'a', attributes: { label: 'A' } };
    const other = { type: 'input', id: 'a', attributes: { label: 'B' } };
    const formOf = (...body: unknown[]) => ({ name: 'n', description: 'd', body });
    expect(problemsOf(form, formOf(filled))).toEqual([]);
    expect(problemsOf(form, formOf({ ...filled, type: 'text' }))).toHaveLength(1);
    expect(problemsOf(form, formOf(filled, other))).toEqual(['ids repeat']);
    expect(problemsOf(form, formOf(filled, { ...filled, id: 'b' }))).toEqual(['labels repeat']);
    expect(problemsOf(form, formOf({ type: 'markdown', attributes: { value: 'x' } }))).toEqual(['nothing can be filled in']);
    expect(problemsOf(form, formOf({ ...filled, attributes: { label: 'A', render: 'text' } }))).toHaveLength(1);
  });
});
