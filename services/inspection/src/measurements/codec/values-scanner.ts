import { isUtf8 } from 'node:buffer';
import { ServiceError } from '@sinebar/contracts';
import { MAX_JSON_DEPTH, MAX_JSON_ITEMS, MAX_JSON_VALUES, parseJson } from '@sinebar/http';
import { readRawAttributes, type RawAttributes } from '../../configuration/attribute-values.js';
import { commentSchema } from '../../shared/parameters.js';
import { CharacteristicLists } from './characteristic-lists.js';
import { CANONICAL, encodeExactText, IN_EXTRAS } from './exact-text.js';
import { isEndOfNumber, isLetter, isNumberByte } from './json-bytes.js';
import { measurementWithValuesSchema, parseMeasurements, type SentMeasurement, type SentValues } from './sent-measurement.js';
import { readUuidWords, UUID_BYTES, WORDS_PER_UUID } from './uuid-words.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Most digits for which both the integer and the power of ten are exact as float64, so that their quotient is the nearest float64. */
const SAFE_DIGITS = 15;
const POWERS_OF_TEN = Float64Array.from({ length: SAFE_DIGITS + 1 }, (_, power) => 10 ** power);
/** ECMAScript writes smaller numbers with an exponent. */
const SMALLEST_WITHOUT_EXPONENT = 1e-6;
const FIRST_CAPACITY = 256;
/** Upper bound for the characters of a number in its shortest form. */
const LONGEST_CANONICAL = 32;

/**
 * Reads a body of `/values` from its bytes, several times as fast as a general JSON parser. It leaves anything unexpected (a value, a measurement or the whole
 * body) to the general parser, which also reports the place of a mistake.
 * @param lists characteristic lists of earlier bodies
 * @throws ServiceError 400 with the place of the mistake
 * spec: inspection-service.md, Values; decisions.md 2.1, 2.7
 */
export function scanMeasurements(body: Buffer, lists = new CharacteristicLists()): SentMeasurement[] {
  const pieces = scanPieces(body, Infinity, lists);
  const first = pieces.next();
  const isExpected = first.done === true ? first.value : pieces.next().value === true;
  if (!isExpected) return parseMeasurements(body);
  return first.done === true ? [] : first.value;
}

/**
 * Scans a body like {@link scanMeasurements}, but yields some measurements at a time.
 * @param bytesEach approximate bytes of the body for each piece
 * @returns false where the scanner cannot read the body, or the rest of it; `scanMeasurements` then reports why
 */
export function* scanPieces(body: Buffer, bytesEach: number, lists: CharacteristicLists): Generator<SentMeasurement[], boolean> {
  return isUtf8(body) && (yield* new ValuesScanner(body, lists).pieces(bytesEach));
}

/** Each method reads one element at the current position. On `undefined` or false the element was not found and the position is undefined. */
class ValuesScanner {
  private readonly body: Buffer;
  private at = 0;
  /** Buffers for the current measurement, copied when it is complete. */
  private values = new Float64Array(FIRST_CAPACITY);
  private digits = new Uint8Array(FIRST_CAPACITY);
  private words = new Int32Array(FIRST_CAPACITY * WORDS_PER_UUID);
  /** Number texts of the current measurement that have to be stored as text. */
  private texts = new Map<number, string>();
  /** Whether the current measurement has a value whose text is not canonical. */
  private hasDigits = false;
  /** Arrays, objects, items and members counted so far. */
  private valueCount = 0;
  private readonly lists: CharacteristicLists;

  constructor(body: Buffer, lists: CharacteristicLists) {
    this.body = body;
    this.lists = lists;
  }

  *pieces(bytesEach: number): Generator<SentMeasurement[], boolean> {
    this.skipBlanks();
    if (!this.take(OPEN_BRACKET)) return false;
    this.skipBlanks();
    if (this.take(CLOSE_BRACKET)) return this.isAtEnd();
    let piece: SentMeasurement[] = [];
    let pieceStart = this.at;
    for (let count = 0; count < MAX_JSON_ITEMS; count += 1) {
      this.skipBlanks();
      // Counts the measurement, its object of values and its members.
      if (!this.countValues(9)) return false;
      const start = this.at;
      const measurement = this.measurement() ?? this.unexpectedMeasurement(start);
      if (!measurement) return false;
      piece.push(measurement);
      this.skipBlanks();
      const isLast = !this.take(COMMA);
      if (isLast && !(this.take(CLOSE_BRACKET) && this.isAtEnd())) return false;
      if (isLast || this.at - pieceStart >= bytesEach) {
        yield piece;
        piece = [];
        pieceStart = this.at;
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

  private value(place: number, raw: Map<number, RawAttributes>): boolean {
    const start = this.at;
    if (this.takeMeasuredValueName() && this.number(place)) {
      this.skipBlanks();
      if (this.take(CLOSE_BRACE)) return true;
    }
    this.at = start;
    const attributes = this.parsedAttributes(3);
    if (!attributes) return false;
    this.digits[place] = CANONICAL;
    raw.set(place, attributes);
    return true;
  }

  /** Takes `{"1":`. */
  private takeMeasuredValueName(): boolean {
    if (!this.take(OPEN_BRACE)) return false;
    this.skipBlanks();
    return this.take(QUOTE) && this.take(ZERO + 1) && this.take(QUOTE) && this.takeColon();
  }

  private number(place: number): boolean {
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
    const isPlain = digits > 0 && digits <= SAFE_DIGITS && fractionDigits > 0 === point > 0 && !(hasLeadingZero && wholeDigits > 1);
    const size = whole / (POWERS_OF_TEN[fractionDigits] ?? NaN);
    if (!isText) {
      if (!isPlain || !isEndOfNumber(byte)) return this.longNumber(place);
      this.at = at;
      this.put(place, isNegative ? -size : size, CANONICAL);
      return true;
    }
    if (!isPlain || byte !== QUOTE || (size < SMALLEST_WITHOUT_EXPONENT && whole !== 0)) return this.longNumberText(place);
    this.at = at + 1;
    this.put(place, isNegative ? -size : size, fractionDigits > 0 && body[at - 1] === ZERO ? fractionDigits : CANONICAL);
    return true;
  }

  /** Reads a JSON number with many digits or an exponent. Numbers that are not in their shortest form are left to the parser. */
  private longNumber(place: number): boolean {
    const start = this.at;
    while (isNumberByte(this.body[this.at])) this.at += 1;
    // Converting very long texts would be slow.
    if (this.at - start > LONGEST_CANONICAL) return false;
    const token = this.body.toString('latin1', start, this.at);
    const value = Number(token);
    if (token === '' || String(value) !== token) return false;
    this.put(place, value, CANONICAL);
    return true;
  }

  private longNumberText(place: number): boolean {
    this.at -= 1;
    const text = this.text();
    const exact = text === undefined ? undefined : encodeExactText(text);
    if (text === undefined || !exact) return false;
    this.put(place, exact.value, exact.digits);
    if (exact.digits === IN_EXTRAS) this.texts.set(place, text);
    return true;
  }

  private put(place: number, value: number, digits: number): void {
    this.values[place] = value;
    this.digits[place] = digits;
    if (digits !== CANONICAL) this.hasDigits = true;
  }

  private uuid(): string | undefined {
    const start = this.at + 1;
    const scratch = new Int32Array(WORDS_PER_UUID);
    if (!this.take(QUOTE) || !readUuidWords(this.body, start, scratch, 0)) return undefined;
    this.at = start + UUID_BYTES;
    return this.take(QUOTE) ? this.body.toString('latin1', start, start + UUID_BYTES).toLowerCase() : undefined;
  }

  private uuidWords(place: number): boolean {
    if (!this.take(QUOTE) || !readUuidWords(this.body, this.at, this.words, place * WORDS_PER_UUID)) return false;
    this.at += UUID_BYTES;
    return this.take(QUOTE);
  }

  /** Reads a string without escapes. */
  private text(): string | undefined {
    if (!this.take(QUOTE)) return undefined;
    const start = this.at;
    for (; ; this.at += 1) {
      const byte = this.body[this.at];
      if (byte === QUOTE) break;
      if (byte === undefined || byte === BACKSLASH || byte < 0x20) return undefined;
    }
    this.at += 1;
    return this.body.toString('utf8', start, this.at - 1);
  }

  private parsedAttributes(depth: number): RawAttributes | undefined {
    return readRawAttributes(this.parsed(depth), () => undefined);
  }

  /** Parses one value with the general parser. @param depth arrays and objects around the value */
  private parsed(depth: number): unknown {
    const start = this.at;
    if (!this.skipValue(MAX_JSON_DEPTH - depth) || !this.countValues(0)) return undefined;
    try {
      return parseJson(this.body.subarray(start, this.at));
    } catch (error) {
      if (error instanceof ServiceError) return undefined;
      throw error;
    }
  }

  /** Moves to the end of one value, assuming that it is valid JSON. */
  private skipValue(maxDepth: number): boolean {
    const { body } = this;
    let depth = 0;
    do {
      const byte = body[this.at];
      if (byte === undefined) return false;
      if (byte === QUOTE) {
        for (this.at += 1; body[this.at] !== QUOTE; this.at += 1) {
          if (body[this.at] === undefined) return false;
          if (body[this.at] === BACKSLASH) this.at += 1;
        }
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        depth += 1;
        this.valueCount += 1;
        if (depth > maxDepth) return false;
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth -= 1;
      else if (byte === COMMA && depth > 0) this.valueCount += 1;
      else if (depth === 0) {
        const start = this.at;
        while (isNumberByte(body[this.at]) || isLetter(body[this.at])) this.at += 1;
        return this.at > start;
      }
      this.at += 1;
    } while (depth > 0);
    return depth === 0;
  }

  /** @returns false when the body may have more values than the general parser accepts, which then reports the error */
  private countValues(count: number): boolean {
    this.valueCount += count;
    return this.valueCount <= MAX_JSON_VALUES;
  }

  private takeColon(): boolean {
    this.skipBlanks();
    if (!this.take(COLON)) return false;
    this.skipBlanks();
    return true;
  }

  private take(byte: number): boolean {
    if (this.body[this.at] !== byte) return false;
    this.at += 1;
    return true;
  }

  private skipBlanks(): void {
    for (;;) {
      const byte = this.body[this.at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return;
      this.at += 1;
    }
  }

  private isAtEnd(): boolean {
    this.skipBlanks();
    return this.at === this.body.length;
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
