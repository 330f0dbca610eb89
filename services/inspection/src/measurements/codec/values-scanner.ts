import { isUtf8 } from 'node:buffer';
import { MAX_JSON_ITEMS } from '@sinebar/http';
import { readRawAttributes, type RawAttributes } from '../../configuration/attribute-values.ts';
import { commentSchema } from '../../shared/parameters.ts';
import { CharacteristicLists } from './characteristic-lists.ts';
import { CANONICAL, encodeExactText, IN_EXTRAS } from './exact-text.ts';
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  isEndOfNumber,
  isNumberByte,
  JsonCursor,
  MINUS,
  NINE,
  OPEN_BRACE,
  OPEN_BRACKET,
  POINT,
  QUOTE,
  ZERO,
} from './json-cursor.ts';
import { measurementWithValuesSchema, parseMeasurements, type SentMeasurement, type SentValues } from './sent-measurement.ts';
import { readUuidWords, UUID_BYTES, WORDS_PER_UUID } from './uuid-words.ts';

/** Most digits for which both the integer and the power of ten are exact as float64, so that their quotient is the nearest float64. */
const MAX_SAFE_DIGITS = 15;
const POWERS_OF_TEN = Float64Array.from({ length: MAX_SAFE_DIGITS + 1 }, (_, power) => 10 ** power);
/** ECMAScript writes smaller numbers with an exponent. */
const MIN_WITHOUT_EXPONENT = 1e-6;
const FIRST_CAPACITY = 256;
/** Upper bound for the characters of a number in its shortest form. */
const MAX_CANONICAL_LENGTH = 32;

/**
 * Reads all measurements of a body of `/values`.
 * @param lists characteristic lists of earlier bodies
 * @throws ServiceError 400 with the position of the mistake
 * spec: inspection-service.md, Values; decisions.md 2.1, 2.7
 */
export function scanMeasurements(body: Buffer, lists = new CharacteristicLists()): SentMeasurement[] {
  return [...scanBatches(body, Infinity, lists)].flat();
}

/**
 * Reads a body like {@link scanMeasurements}, some measurements at a time. It is several times as fast as a general JSON parser and leaves
 * anything unexpected to that: a value, a measurement, or the rest of the body. The general parser also reports the position of a mistake.
 * @param batchBytes approximate bytes of the body for each batch
 */
export function* scanBatches(body: Buffer, batchBytes: number, lists: CharacteristicLists): Generator<SentMeasurement[]> {
  const scanner = new ValuesScanner(body, lists);
  if (isUtf8(body) && (yield* scanner.batches(batchBytes))) return;
  yield parseMeasurements(body).slice(scanner.count);
}

class ValuesScanner extends JsonCursor {
  /** Measurements in the batches so far. */
  count = 0;
  /** Buffers for the current measurement, copied when it is complete. */
  private values = new Float64Array(FIRST_CAPACITY);
  private digits = new Uint8Array(FIRST_CAPACITY);
  private words = new Int32Array(FIRST_CAPACITY * WORDS_PER_UUID);
  /** Number texts of the current measurement that have to be stored as text. */
  private texts = new Map<number, string>();
  /** Whether the current measurement has a value whose text is not canonical. */
  private hasDigits = false;
  private readonly lists: CharacteristicLists;

  constructor(body: Buffer, lists: CharacteristicLists) {
    super(body);
    this.lists = lists;
  }

  /** @returns false where the body or the rest of it cannot be read */
  *batches(batchBytes: number): Generator<SentMeasurement[], boolean> {
    this.skipBlanks();
    if (!this.take(OPEN_BRACKET)) return false;
    this.skipBlanks();
    if (this.take(CLOSE_BRACKET)) return this.isAtEnd();
    let batch: SentMeasurement[] = [];
    let batchStart = this.at;
    while (this.count + batch.length < MAX_JSON_ITEMS) {
      this.skipBlanks();
      // Counts the measurement, its object of values and its members.
      if (!this.countValues(9)) return false;
      const start = this.at;
      const measurement = this.measurement() ?? this.unexpectedMeasurement(start);
      if (!measurement) return false;
      batch.push(measurement);
      this.skipBlanks();
      const isLast = !this.take(COMMA);
      if (isLast && !(this.take(CLOSE_BRACKET) && this.isAtEnd())) return false;
      if (isLast || this.at - batchStart >= batchBytes) {
        this.count += batch.length;
        yield batch;
        batch = [];
        batchStart = this.at;
      }
      if (isLast) return true;
    }
    return false;
  }

  private unexpectedMeasurement(start: number): SentMeasurement | undefined {
    this.at = start;
    const parsed = measurementWithValuesSchema.safeParse(this.parsed(1));
    return parsed.success ? parsed.data : undefined;
  }

  private measurement(): SentMeasurement | undefined {
    const names = new Set<string>();
    let uuid: string | undefined;
    let partUuid: string | undefined;
    let attributes: RawAttributes = {};
    let comment: string | undefined;
    let values: SentValues | undefined;
    if (!this.take(OPEN_BRACE)) return undefined;
    do {
      this.skipBlanks();
      const name = this.text();
      if (name === undefined || names.has(name) || !this.takeColon()) return undefined;
      names.add(name);
      switch (name) {
        case 'uuid':
          if ((uuid = this.uuid()) === undefined) return undefined;
          break;
        case 'partUuid':
          if ((partUuid = this.uuid()) === undefined) return undefined;
          break;
        case 'attributes': {
          const found = this.attributes();
          if (!found) return undefined;
          attributes = found;
          break;
        }
        case 'comment':
          comment = this.text();
          if (comment === undefined || !commentSchema.safeParse(comment).success) return undefined;
          break;
        case 'characteristics':
          if ((values = this.characteristics()) === undefined) return undefined;
          break;
        case 'lastModified':
        case 'created':
          if (this.text() === undefined) return undefined;
          break;
        default:
          return undefined;
      }
      this.skipBlanks();
    } while (this.take(COMMA));
    return this.take(CLOSE_BRACE) && uuid !== undefined ? { uuid, partUuid, attributes, comment, values } : undefined;
  }

  private attributes(): RawAttributes | undefined {
    const start = this.at;
    const attributes = this.plainAttributes();
    if (attributes) return attributes;
    this.at = start;
    return this.parsedAttributes(2);
  }

  /** Reads attributes whose keys are digits and whose values are strings without escapes. */
  private plainAttributes(): RawAttributes | undefined {
    const attributes: Record<string, string> = {};
    if (!this.take(OPEN_BRACE)) return undefined;
    this.skipBlanks();
    if (this.take(CLOSE_BRACE)) return attributes;
    let count = 0;
    do {
      this.skipBlanks();
      if (count === MAX_JSON_ITEMS || !this.countValues(1)) return undefined;
      count += 1;
      const key = this.text();
      if (key === undefined || !/^\d{1,5}$/.test(key) || !this.takeColon()) return undefined;
      const value = this.text();
      if (value === undefined) return undefined;
      attributes[key] = value;
      this.skipBlanks();
    } while (this.take(COMMA));
    return this.take(CLOSE_BRACE) ? attributes : undefined;
  }

  private characteristics(): SentValues | undefined {
    const raw = new Map<number, RawAttributes>();
    let count = 0;
    this.hasDigits = false;
    if (this.texts.size > 0) this.texts = new Map();
    if (!this.take(OPEN_BRACE)) return undefined;
    this.skipBlanks();
    if (!this.take(CLOSE_BRACE)) {
      do {
        this.skipBlanks();
        if (count === MAX_JSON_ITEMS) return undefined;
        if (count === this.values.length) this.grow();
        if (!this.uuidWords(count) || !this.takeColon() || !this.value(count, raw)) return undefined;
        count += 1;
        this.skipBlanks();
      } while (this.take(COMMA));
      if (!this.take(CLOSE_BRACE)) return undefined;
    }
    if (!this.countValues(2 * count)) return undefined;
    const characteristics = this.lists.find(this.words, count);
    const digits = this.hasDigits ? this.digits.slice(0, count) : undefined;
    return characteristics && { characteristics, values: this.values.slice(0, count), digits, texts: this.texts, raw };
  }

  private value(index: number, raw: Map<number, RawAttributes>): boolean {
    const start = this.at;
    if (this.takeMeasuredValueName() && this.number(index)) {
      this.skipBlanks();
      if (this.take(CLOSE_BRACE)) return true;
    }
    this.at = start;
    const attributes = this.parsedAttributes(3);
    if (!attributes) return false;
    this.digits[index] = CANONICAL;
    raw.set(index, attributes);
    return true;
  }

  /** Takes `{"1":`. */
  private takeMeasuredValueName(): boolean {
    if (!this.take(OPEN_BRACE)) return false;
    this.skipBlanks();
    return this.take(QUOTE) && this.take(ZERO + 1) && this.take(QUOTE) && this.takeColon();
  }

  private number(index: number): boolean {
    const { body } = this;
    const isText = this.take(QUOTE);
    const start = this.at;
    let at = start;
    const isNegative = body[at] === MINUS;
    if (isNegative) at += 1;
    const hasLeadingZero = body[at] === ZERO;
    let whole = 0;
    let digits = 0;
    let point = -1;
    let byte = body[at] as number;
    for (;;) {
      if (byte >= ZERO && byte <= NINE) {
        whole = whole * 10 + (byte - ZERO);
        digits += 1;
      } else if (byte === POINT && point < 0 && digits > 0) point = digits;
      else break;
      at += 1;
      byte = body[at] as number;
    }
    const fractionDigits = point < 0 ? 0 : digits - point;
    const wholeDigits = digits - fractionDigits;
    const isPlain = digits > 0 && digits <= MAX_SAFE_DIGITS && fractionDigits > 0 === point > 0 && !(hasLeadingZero && wholeDigits > 1);
    const size = whole / (POWERS_OF_TEN[fractionDigits] ?? NaN);
    if (!isText) {
      if (!isPlain || !isEndOfNumber(byte)) return this.longNumber(index);
      this.at = at;
      this.put(index, isNegative ? -size : size, CANONICAL);
      return true;
    }
    if (!isPlain || byte !== QUOTE || (size < MIN_WITHOUT_EXPONENT && whole !== 0)) return this.longNumberText(index);
    this.at = at + 1;
    this.put(index, isNegative ? -size : size, fractionDigits > 0 && body[at - 1] === ZERO ? fractionDigits : CANONICAL);
    return true;
  }

  /** Reads a JSON number with many digits or an exponent. Numbers that are not in their shortest form are left to the parser. */
  private longNumber(index: number): boolean {
    const start = this.at;
    while (isNumberByte(this.body[this.at])) this.at += 1;
    // Converting very long texts would be slow.
    if (this.at - start > MAX_CANONICAL_LENGTH) return false;
    const token = this.body.toString('latin1', start, this.at);
    const value = Number(token);
    if (token === '' || String(value) !== token) return false;
    this.put(index, value, CANONICAL);
    return true;
  }

  private longNumberText(index: number): boolean {
    this.at -= 1;
    const text = this.text();
    const exact = text === undefined ? undefined : encodeExactText(text);
    if (text === undefined || !exact) return false;
    this.put(index, exact.value, exact.digits);
    if (exact.digits === IN_EXTRAS) this.texts.set(index, text);
    return true;
  }

  private put(index: number, value: number, digits: number): void {
    this.values[index] = value;
    this.digits[index] = digits;
    if (digits !== CANONICAL) this.hasDigits = true;
  }

  private uuid(): string | undefined {
    const start = this.at + 1;
    const scratch = new Int32Array(WORDS_PER_UUID);
    if (!this.take(QUOTE) || !readUuidWords(this.body, start, scratch, 0)) return undefined;
    this.at = start + UUID_BYTES;
    return this.take(QUOTE) ? this.body.toString('latin1', start, start + UUID_BYTES).toLowerCase() : undefined;
  }

  private uuidWords(index: number): boolean {
    if (!this.take(QUOTE) || !readUuidWords(this.body, this.at, this.words, index * WORDS_PER_UUID)) return false;
    this.at += UUID_BYTES;
    return this.take(QUOTE);
  }

  private parsedAttributes(depth: number): RawAttributes | undefined {
    return readRawAttributes(this.parsed(depth), () => undefined);
  }

  private grow(): void {
    const { values, digits, words } = this;
    this.values = new Float64Array(values.length * 2);
    this.values.set(values);
    this.digits = new Uint8Array(digits.length * 2);
    this.digits.set(digits);
    this.words = new Int32Array(words.length * 2);
    this.words.set(words);
  }
}
