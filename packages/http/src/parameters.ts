import { parseUuid } from '@sinebar/contracts';
import { GrammarError, parseList } from '@sinebar/query-language';
import { z } from 'zod';

/** A uuid in any case, with or without braces (spec: decisions.md 1.3). */
export const uuidParameter = z.string('must be a uuid').transform((text, context) => {
  const uuid = parseUuid(text);
  if (uuid !== undefined) return uuid;
  context.addIssue({ code: 'custom', message: `must be a uuid such as 05040c4c-f0af-46b8-810e-30c0c00a379e, not ${quoted(text)}` });
  return z.NEVER;
});

/** A list of uuids, `{a,b}` with optional braces; duplicates are dropped. */
export const uuidListParameter = z.string().transform((text, context) => {
  const uuids = new Set<string>();
  for (const item of parseList(text)) {
    const uuid = parseUuid(item);
    if (uuid === undefined) {
      context.addIssue({ code: 'custom', message: `must be a list of uuids such as {uuid,uuid}; ${quoted(item)} is none` });
      return z.NEVER;
    }
    uuids.add(uuid);
  }
  return [...uuids];
});

/** `true` or `false` in any case (spec: decisions.md 1.2). */
export const booleanParameter = z
  .string()
  .regex(/^(true|false)$/i, 'must be true or false')
  .transform((text) => text.toLowerCase() === 'true');

/** Unsigned 16-bit (spec: inspection-service.md, Limits 1). */
export const depthParameter = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a whole number from 0 to 65535')
  .transform(Number)
  .refine((depth) => depth <= 65_536, 'must be a whole number from 0 to 65535')
  // The interface description writes the default of characteristics as 65.536 in places; clients send that number.
  .transform((depth) => Math.min(depth, 65_535));

/** A parameter with a grammar of its own: a {@link GrammarError} becomes the message of the 400. */
export function grammarParameter<T>(parse: (text: string) => T): z.ZodType<T, string> {
  return z.string().transform((text, context) => {
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof GrammarError)) throw error;
      context.addIssue({ code: 'custom', message: error.message });
      return z.NEVER;
    }
  });
}

/**
 * An object of a request body: member names match in any case, unknown members are ignored, and a member that is `null` is left out.
 * spec: decisions.md 2.1, 2.7
 */
export function members<S extends z.ZodRawShape>(shape: S) {
  const names = new Map(Object.keys(shape).map((name) => [name.toLowerCase(), name]));
  return z.preprocess(
    (value) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
      const renamed: Record<string, unknown> = {};
      for (const [key, member] of Object.entries(value)) {
        if (member === null) continue;
        const name = names.get(key.toLowerCase());
        // A member in the documented spelling wins over one in another spelling, wherever it stands.
        if (name !== undefined && (name === key || !(name in renamed))) renamed[name] = member;
      }
      return renamed;
    },
    z.object(shape, 'must be a JSON object'),
  );
}

/** Maximum problems that are reported for one request. */
export const MAX_PROBLEMS = 20;

/** Item schemas of the lists of {@link listOf}, which parse items themselves and so do not expose them. */
export const LIST_ITEMS = new WeakMap<object, z.ZodType>();

/**
 * A list in a request body. Reading stops after {@link MAX_PROBLEMS} problems, so that a body of mistakes costs no more than a good one.
 * @param message error text when the body is not a list
 * @param about returns a sentence that names an item, which stands behind each of its problems
 */
export function listOf<T>(item: z.ZodType<T>, message: string, about: (item: unknown) => string = () => '') {
  const list = z.unknown().transform((value, context): T[] => {
    if (!Array.isArray(value)) {
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    }
    const items: T[] = [];
    let problems = 0;
    for (const [index, element] of value.entries()) {
      const parsed = item.safeParse(element);
      if (parsed.success) {
        items.push(parsed.data);
        continue;
      }
      const name = about(element);
      for (const issue of parsed.error.issues.slice(0, MAX_PROBLEMS - problems)) {
        const problem = name === '' ? issue.message : `${withFullStop(issue.message)}${name}`;
        context.addIssue({ code: 'custom', message: problem, path: [index, ...issue.path] });
        problems += 1;
      }
      if (problems >= MAX_PROBLEMS) break;
    }
    return items;
  });
  LIST_ITEMS.set(list, item);
  return list;
}

export function withFullStop(message: string): string {
  return message.endsWith('.') ? message : `${message}.`;
}

/** A short, quoted form of a text for error messages. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
