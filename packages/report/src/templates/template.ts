import { isMap, isScalar, LineCounter, parseDocument, type Document, type Node } from 'yaml';
import { z } from 'zod';

/** Columns of tables of characteristics. An attribute is named by its key: `K2005`. */
const CHARACTERISTIC_COLUMNS = [
  ...['number', 'name', 'nominal', 'lower', 'upper', 'tolerance', 'unit', 'count', 'last', 'mean', 'deviation', 'model', 'pp', 'ppk'],
  ...['cp', 'cpk', 'now', 'process', 'sparkline', 'value', 'difference', 'bar'],
] as const;

/** Columns of tables of alarms. */
const ALARM_COLUMNS = [
  ...['raised', 'characteristic', 'what', 'value', 'state', 'acknowledgedAfter', 'acknowledgedBy', 'closed', 'cause', 'action', 'note'],
] as const;

const textSchema = z.union([z.string(), z.strictObject({ en: z.string(), de: z.string() })]);
const ATTRIBUTE = /^K\d{1,5}$/;
const attribute = z.string().regex(ATTRIBUTE);
const COLUMN_NAMES: ReadonlySet<string> = new Set(CHARACTERISTIC_COLUMNS);
const characteristicColumn = z.string().refine((name) => COLUMN_NAMES.has(name) || ATTRIBUTE.test(name));

const sectionSchema = z.discriminatedUnion('section', [
  z.strictObject({
    section: z.literal('cover'),
    /** Attributes of the part, by key. */
    attributes: z.array(attribute).default([]),
    /** Whether there are fields for names and signatures. */
    approval: z.boolean().default(false),
  }),
  z.strictObject({ section: z.literal('summary'), pareto: z.boolean().default(true) }),
  z.strictObject({
    section: z.literal('characteristics'),
    title: textSchema.optional(),
    columns: z.array(characteristicColumn).min(1),
  }),
  z.strictObject({
    section: z.literal('pages'),
    charts: z.array(z.enum(['control', 'histogram', 'capability'])).default(['control', 'histogram', 'capability']),
  }),
  z.strictObject({
    section: z.literal('alarms'),
    title: textSchema.optional(),
    columns: z.array(z.enum(ALARM_COLUMNS as unknown as [string, ...string[]])).min(1),
  }),
  z.strictObject({ section: z.literal('form1') }),
  z.strictObject({ section: z.literal('form2') }),
  z.strictObject({ section: z.literal('form3') }),
  z.strictObject({ section: z.literal('drawing') }),
  z.strictObject({ section: z.literal('text'), text: textSchema }),
]);
export type Section = z.output<typeof sectionSchema>;

export const templateSchema = z.strictObject({
  title: textSchema,
  for: z.enum(['part', 'characteristic', 'measurement']),
  orientation: z.enum(['portrait', 'landscape']).default('portrait'),
  logo: z.boolean().default(true),
  /** Characteristics with pages of their own when the request does not say. */
  pages: z.enum(['worst', 'all', 'none']).default('none'),
  worst: z.int().min(1).max(1000).default(5),
  sections: z.array(sectionSchema).min(1),
});
export type Template = z.output<typeof templateSchema>;

/** Something wrong in a template. */
export interface TemplateProblem {
  /** Counted from 1. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** Reads a template. @returns the template, or all that is wrong in it */
export function readTemplate(text: string): { template: Template } | { problems: readonly TemplateProblem[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, maxAliasCount: 0 } as Parameters<
    typeof parseDocument
  >[1]);
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  if (document.errors.length > 0)
    return { problems: document.errors.map(({ pos, message }) => ({ ...at(pos[0]), message: `${message.replace(/\.?$/, '')}.` })) };
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 0 });
  } catch {
    return { problems: [{ line: 1, column: 1, message: 'The template uses aliases. Write what they stand for.' }] };
  }
  const read = templateSchema.safeParse(value);
  if (read.success) return { template: read.data };
  const problems = read.error.issues.flatMap((issue) =>
    sentencesOf(issue, value).map(({ path, message }) => ({ ...at(offsetOf(document, path)), message })),
  );
  return { problems: problems.toSorted((a, b) => a.line - b.line) };
}

type Issue = z.core.$ZodIssue;

function sentencesOf(issue: Issue, root: unknown): { path: readonly PropertyKey[]; message: string }[] {
  const path = issue.path;
  const name = path.length === 0 ? 'The template' : `\`${path.join('.')}\``;
  const found = valueAt(root, path);
  const written = found === undefined ? undefined : JSON.stringify(found);
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({ path: [...path, key], message: `${name} has no member \`${key}\`.` }));
    case 'invalid_value':
      return [
        {
          path,
          message: `${name} must be one of ${issue.values.map(String).join(', ')}${written === undefined ? '' : `, not ${written}`}.`,
        },
      ];
    case 'invalid_union': {
      const isSection = issue.discriminator !== undefined;
      const expected = isSection ? `one of ${SECTION_NAMES.join(', ')}` : 'a text, or texts by language: `en` and `de`';
      return [{ path, message: `${name} must be ${expected}${written === undefined ? '' : `, not ${written}`}.` }];
    }
    case 'custom':
      return [
        {
          path,
          message: `There is no column ${written ?? ''}. Columns are ${CHARACTERISTIC_COLUMNS.join(', ')}, or an attribute such as K2005.`,
        },
      ];
    case 'invalid_format':
      return [{ path, message: `${name} must be the key of an attribute such as K1001, not ${written ?? 'nothing'}.` }];
    case 'invalid_type':
      return [
        {
          path,
          message:
            found === undefined
              ? `${name} is missing.`
              : `${name} must be ${TYPES[issue.expected] ?? `of the type ${issue.expected}`}, not ${written ?? ''}.`,
        },
      ];
    case 'invalid_element':
    case 'invalid_key':
    case 'not_multiple_of':
    case 'too_big':
    case 'too_small':
      return [{ path, message: `${name}: ${issue.message}.` }];
  }
}

const SECTION_NAMES = ['cover', 'summary', 'characteristics', 'pages', 'alarms', 'form1', 'form2', 'form3', 'drawing', 'text'];
const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  boolean: 'true or false',
  number: 'a number',
  int: 'a whole number',
  array: 'a list',
  object: 'a mapping',
};

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined),
    root,
  );
}

/** Finds where a member begins, or what encloses it. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const parent = length === 1 ? document.contents : document.getIn(path.slice(0, length - 1), true);
    const key = path[length - 1];
    if (isMap(parent)) {
      const pair = parent.items.find((item) => isScalar(item.key) && item.key.value === key);
      const keyNode = pair?.key as Node | undefined;
      if (keyNode?.range) return keyNode.range[0];
    }
    const node = document.getIn(path.slice(0, length), true) as Node | undefined;
    if (node?.range) return node.range[0];
  }
  return document.contents?.range?.[0] ?? 0;
}
