import { ServiceError } from '@sinebar/contracts';
import { MAX_JSON_DEPTH, MAX_JSON_VALUES, parseJson } from '@sinebar/http';

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const MINUS = 0x2d;
export const POINT = 0x2e;
export const ZERO = 0x30;
export const NINE = 0x39;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/** Reads JSON from its bytes. On `undefined` or false an element was not found and the position is undefined. */
export class JsonCursor {
  protected readonly body: Buffer;
  protected at = 0;
  /** Arrays, objects, items and members counted so far. */
  private valueCount = 0;

  constructor(body: Buffer) {
    this.body = body;
  }

  /** Reads a string without escapes. */
  protected text(): string | undefined {
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

  /** Parses one value with the general parser. @param depth arrays and objects around the value */
  protected parsed(depth: number): unknown {
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
  protected countValues(count: number): boolean {
    this.valueCount += count;
    return this.valueCount <= MAX_JSON_VALUES;
  }

  protected takeColon(): boolean {
    this.skipBlanks();
    if (!this.take(COLON)) return false;
    this.skipBlanks();
    return true;
  }

  protected take(byte: number): boolean {
    if (this.body[this.at] !== byte) return false;
    this.at += 1;
    return true;
  }

  protected skipBlanks(): void {
    while (isBlank(this.body[this.at])) this.at += 1;
  }

  protected isAtEnd(): boolean {
    this.skipBlanks();
    return this.at === this.body.length;
  }
}

/** True for a closing brace or a blank. */
export function isEndOfNumber(byte: number): boolean {
  return byte === CLOSE_BRACE || isBlank(byte);
}

/** True for signs, point, digits and the letters of an exponent. */
export function isNumberByte(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  return (byte >= ZERO && byte <= NINE) || byte === MINUS || byte === POINT || byte === 0x2b || byte === 0x65 || byte === 0x45;
}

function isLetter(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x61 && byte <= 0x7a;
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
