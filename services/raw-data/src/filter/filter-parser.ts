import { dateAdvice, GrammarError } from '@sinebar/query-language';
import { parseMd5 } from '../objects/md5.ts';
import { readDate } from './filter-date.ts';
import { readTokens, type Token } from './filter-lexer.ts';

export type Comparison = 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge';

/** `null` equals nothing, because every file has all attributes. */
export type Operand<T> = T | null;

export type Filter =
  | { kind: 'constant'; value: boolean }
  | { kind: 'not'; filter: Filter }
  | { kind: 'and' | 'or'; filters: Filter[] }
  | { kind: 'text'; attribute: 'fileName' | 'mimeType'; operator: Comparison; value: Operand<string> }
  | { kind: 'like'; attribute: 'fileName' | 'mimeType'; pattern: string }
  | { kind: 'textList'; attribute: 'fileName' | 'mimeType'; values: Operand<string>[] }
  | { kind: 'date'; attribute: 'lastModified' | 'created'; operator: Comparison; value: Operand<string> }
  | { kind: 'length'; operator: Comparison; value: Operand<string> }
  /** Possible digests: a checksum is read in both byte orders. */
  | { kind: 'md5'; digests: string[] }
  | { kind: 'md5Like'; pattern: string };

const COMPARISONS: readonly string[] = ['eq', 'ne', 'lt', 'le', 'gt', 'ge'];
const MAX_LENGTH = 16 * 1024;
const MAX_DEPTH = 50;

type Attribute =
  | { type: 'text'; name: 'fileName' | 'mimeType' }
  | { type: 'date'; name: 'lastModified' | 'created' }
  | { type: 'length' }
  | { type: 'md5' };

const ATTRIBUTES: Readonly<Record<string, Attribute>> = {
  mimetype: { type: 'text', name: 'mimeType' },
  filename: { type: 'text', name: 'fileName' },
  lastmodified: { type: 'date', name: 'lastModified' },
  created: { type: 'date', name: 'created' },
  length: { type: 'length' },
  md5: { type: 'md5' },
};

/**
 * Reads a filter expression. Names, operators and words match in any case.
 * @param now reference time of relative dates
 * @throws GrammarError
 * spec: raw-data-service.md, Filter syntax; decisions.md 6.7
 */
export function parseFilter(filter: string, now: Date): Filter {
  if (filter.length > MAX_LENGTH) throw new GrammarError(`a filter has at most ${MAX_LENGTH} characters`, MAX_LENGTH);
  return new Parser(readTokens(filter), now).parse();
}

class Parser {
  private readonly tokens: readonly Token[];
  private readonly now: Date;
  private next = 0;
  private depth = 0;

  constructor(tokens: readonly Token[], now: Date) {
    this.tokens = tokens;
    this.now = now;
  }

  parse(): Filter {
    const filter = this.alternatives();
    if (this.peek().kind !== 'end') throw this.unexpected('"and", "or" or the end');
    return filter;
  }

  private alternatives(): Filter {
    return this.joined('or', () => this.joined('and', () => this.factor()));
  }

  private joined(kind: 'and' | 'or', part: () => Filter): Filter {
    const filters = [part()];
    while (this.takeWord(kind)) filters.push(part());
    const [first] = filters;
    return filters.length === 1 && first ? first : { kind, filters };
  }

  private factor(): Filter {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw new GrammarError(`a filter is nested at most ${MAX_DEPTH} deep`, this.peek().position);
    const filter = this.factorInside();
    this.depth -= 1;
    return filter;
  }

  private factorInside(): Filter {
    if (this.takeWord('not')) return { kind: 'not', filter: this.factor() };
    if (this.takeWord('true')) return { kind: 'constant', value: true };
    if (this.takeWord('false')) return { kind: 'constant', value: false };
    if (this.peek().kind === '(') {
      this.take();
      const filter = this.alternatives();
      this.expect(')');
      return filter;
    }
    return this.condition();
  }

  private condition(): Filter {
    const name = this.peek();
    const attribute = name.kind === 'word' ? ATTRIBUTES[name.text.toLowerCase()] : undefined;
    if (!attribute) throw this.unexpected('MimeType, FileName, LastModified, Created, Length, MD5, "not" or "("');
    this.take();
    const written = this.peek();
    const operator = written.kind === 'word' ? written.text.toLowerCase() : '';
    if (COMPARISONS.includes(operator)) {
      this.take();
      return this.comparison(attribute, operator as Comparison, written);
    }
    if (operator === 'like') {
      this.take();
      return this.likeCondition(attribute, written);
    }
    if (operator === 'in' || operator === 'notin') {
      this.take();
      const list = this.listCondition(attribute);
      return operator === 'in' ? list : { kind: 'not', filter: list };
    }
    throw this.unexpected('eq, ne, lt, le, gt, ge, like, in or notin');
  }

  private comparison(attribute: Attribute, operator: Comparison, written: Token): Filter {
    switch (attribute.type) {
      case 'text':
        return { kind: 'text', attribute: attribute.name, operator, value: this.text() };
      case 'date':
        return { kind: 'date', attribute: attribute.name, operator, value: this.date() };
      case 'length':
        return { kind: 'length', operator, value: this.number() };
      case 'md5': {
        if (operator !== 'eq' && operator !== 'ne')
          throw new GrammarError('a checksum is compared with eq, ne, in or notin', written.position);
        const equal: Filter = { kind: 'md5', digests: this.md5() };
        return operator === 'eq' ? equal : { kind: 'not', filter: equal };
      }
    }
  }

  private likeCondition(attribute: Attribute, written: Token): Filter {
    if (attribute.type !== 'text' && attribute.type !== 'md5')
      throw new GrammarError('like compares FileName, MimeType and MD5 only', written.position);
    const pattern = this.text();
    if (pattern === null) return { kind: 'constant', value: false };
    return attribute.type === 'md5' ? { kind: 'md5Like', pattern } : { kind: 'like', attribute: attribute.name, pattern };
  }

  private listCondition(attribute: Attribute): Filter {
    if (attribute.type === 'text') return { kind: 'textList', attribute: attribute.name, values: this.list(() => this.text()) };
    if (attribute.type === 'md5') return { kind: 'md5', digests: this.list(() => this.md5()).flat() };
    const filters: Filter[] =
      attribute.type === 'date'
        ? this.list(() => ({ kind: 'date', attribute: attribute.name, operator: 'eq', value: this.date() }))
        : this.list(() => ({ kind: 'length', operator: 'eq', value: this.number() }));
    return { kind: 'or', filters };
  }

  private list<T>(item: () => T): T[] {
    this.expect('(');
    const items: T[] = [];
    if (this.peek().kind !== ')') {
      items.push(item());
      while (this.peek().kind === ',') {
        this.take();
        items.push(item());
      }
    }
    this.expect(')');
    return items;
  }

  private text(): Operand<string> {
    return this.value('text', 'a text in single quotes', ({ text }) => text);
  }

  private number(): Operand<string> {
    return this.value('number', 'a number', ({ text }) => text);
  }

  private date(): Operand<string> {
    const form = "a date such as '2026-11-21T08:00:00Z', or relative to now such as '-3d'";
    if (this.peek().kind === 'date') return this.value('date', form, ({ text, position }) => this.absoluteOrRelative(text, position, form));
    return this.value('text', form, ({ text, position }) => this.absoluteOrRelative(text, position, form));
  }

  private absoluteOrRelative(text: string, position: number, form: string): string {
    const date = readDate(text, this.now);
    if (date === undefined) throw new GrammarError(`${JSON.stringify(text)} is not ${form}${dateAdvice(text)}`, position);
    return date;
  }

  private md5(): string[] {
    const digests = this.value('text', 'a checksum in single quotes', ({ text, position }) => {
      const parsed = parseMd5(text);
      if (!parsed)
        throw new GrammarError(`${JSON.stringify(text)} is not a checksum: 32 hexadecimal digits, with hyphens or without`, position);
      return parsed.length > 0 ? parsed : ['0'.repeat(32)];
    });
    return digests ?? [];
  }

  private value<T>(kind: Token['kind'], expected: string, read: (token: Token) => T): T | null {
    if (this.takeWord('null')) return null;
    const token = this.peek();
    if (token.kind !== kind) throw this.unexpected(expected);
    this.take();
    return read(token);
  }

  private takeWord(word: string): boolean {
    const token = this.peek();
    if (token.kind !== 'word' || token.text.toLowerCase() !== word) return false;
    this.take();
    return true;
  }

  private expect(kind: '(' | ')'): void {
    if (this.peek().kind !== kind) throw this.unexpected(`"${kind}"`);
    this.take();
  }

  private take(): void {
    this.next += 1;
  }

  private peek(): Token {
    return this.tokens[Math.min(this.next, this.tokens.length - 1)] as Token;
  }

  private unexpected(expected: string): GrammarError {
    const { kind, text, position } = this.peek();
    return new GrammarError(`expected ${expected}, found ${kind === 'end' ? 'the end' : JSON.stringify(text)}`, position);
  }
}
