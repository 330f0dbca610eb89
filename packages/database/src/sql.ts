import createKnex, { type Knex } from 'knex';

export type { Knex };

/** Builds queries and has no connection: give its queries to {@link sql}. */
export const knex = createKnex({ client: 'pg' });

/** A statement with `$n` placeholders and their values. */
export interface Statement {
  text: string;
  values: readonly unknown[];
}

type CompiledSql = Statement & { values: unknown[] };
type Builder = Knex.QueryBuilder | Knex.Raw;

/** Hides a value from knex, which reads all members of a list and takes objects of some shapes for builders. */
class Parameter {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/** A composed statement or a part of one; knex compiles it on first use. */
export class Sql implements Statement {
  /** Constant texts before, between and after the bindings. */
  readonly strings: readonly string[];
  /** Values and builders. */
  readonly bindings: readonly unknown[];
  private native: CompiledSql | undefined;

  constructor(strings: readonly string[], bindings: readonly unknown[]) {
    this.strings = strings;
    this.bindings = bindings;
  }

  get text(): string {
    return this.compiled.text;
  }

  get values(): unknown[] {
    return this.compiled.values;
  }

  private get compiled(): CompiledSql {
    return (this.native ??= compile(this.strings, this.bindings));
  }
}

/** No text. */
export const NO_SQL = rawSql('');

/**
 * `` sql`… ${value} … ${fragment} …` `` composes a {@link Statement}. It inserts fragments of its own kind and queries of {@link knex}, and
 * makes every other value a parameter.
 */
export function sql(strings: readonly string[], ...values: readonly unknown[]): Sql {
  const texts: string[] = [];
  const bindings: unknown[] = [];
  let text = strings[0] ?? '';
  for (const [i, value] of values.entries()) {
    if (value instanceof Sql) {
      for (const [j, binding] of value.bindings.entries()) {
        texts.push(text + value.strings[j]);
        bindings.push(binding);
        text = '';
      }
      text += value.strings.at(-1);
    } else {
      texts.push(text);
      bindings.push(value);
      text = '';
    }
    text += strings[i + 1];
  }
  return new Sql([...texts, text], bindings);
}

/** Inserts text as it is: never give it anything that a client wrote. */
export function rawSql(text: string): Sql {
  return new Sql([text], []);
}

/** The fragments with the separator between them, also of none. */
export function joinSql(fragments: readonly Sql[], separator: string): Sql {
  return fragments.length === 0 ? NO_SQL : sql(['', ...fragments.slice(1).map(() => separator), ''], ...fragments);
}

/** The members of the rows as arrays, for `unnest`. */
export function columnsOf<T>(rows: readonly T[], ...members: readonly (keyof T)[]): unknown[][] {
  return members.map((member) => rows.map((row) => row[member]));
}

function compile(strings: readonly string[], bindings: readonly unknown[]): CompiledSql {
  if (bindings.length === 0) return { text: strings.join(''), values: [] };
  const text = strings.map((part, i) => withoutMarks(part, i > 0, i < bindings.length)).join('?');
  const { sql: native, bindings: values } = knex
    .raw(
      text,
      bindings.map((value) => (isBuilder(value) ? value : (new Parameter(value) as unknown as Knex.RawBinding))),
    )
    .toSQL()
    .toNative();
  return { text: native, values: values.map((value: unknown) => (value instanceof Parameter ? value.value : value)) };
}

/** Escapes question marks, and keeps them and placeholders apart: knex takes two beside each other for the name of a column. */
function withoutMarks(text: string, afterBinding: boolean, beforeBinding: boolean): string {
  if (text.includes('\\?')) throw new TypeError(`Knex cannot write "\\?" in "${text}": write "[?]" in a pattern.`);
  const touches = beforeBinding && (text.endsWith('?') || (text === '' && afterBinding));
  return text.replaceAll('?', '\\?') + (touches ? ' ' : '');
}

function isBuilder(value: unknown): value is Builder {
  return typeof value === 'object' && value !== null && 'toSQL' in value && typeof value.toSQL === 'function';
}
