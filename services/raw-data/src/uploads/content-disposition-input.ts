/**
 * Reads the file name from the `Content-Disposition` of an upload, in every form that known clients send:
 * a bare name, quoted or not; `attachment; filename="…"`; `filename*=UTF-8''…`, which has precedence; MIME encoded words (RFC 2047); raw
 * UTF-8 bytes.
 * Inside quotes a backslash escapes only a quotation mark and itself, because many clients send names unescaped.
 * @param header the header as Node gives it: one character per byte
 * @returns the unchecked name, or `undefined` without one
 * spec: decisions.md 6.2
 */
export function readFileName(header: string): string | undefined {
  const text = utf8FromBytes(header).trim();
  if (text === '') return undefined;
  const parameters = splitParameters(text);
  const [first = ''] = parameters;
  if (first.startsWith('"')) return decodeWords(unquote(first));
  const extended = valueOf(parameters, 'filename*');
  const fromExtended = extended === undefined ? undefined : decodeExtended(unquote(extended));
  if (fromExtended !== undefined) return fromExtended;
  const plain = valueOf(parameters, 'filename');
  if (plain !== undefined) return decodeWords(unquote(plain));
  // A type without a name is no name; anything else is a name that was sent without quotes, semicolons included.
  return /^(attachment|inline|form-data)(\s*;|$)/i.test(text) || extended !== undefined ? undefined : decodeWords(text);
}

/** Decodes header bytes as UTF-8 if they are valid UTF-8, otherwise as Latin-1. */
function utf8FromBytes(header: string): string {
  if (!/[\u0080-\u00ff]/.test(header) || /[\u0100-\uffff]/.test(header)) return header;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(header, 'latin1'));
  } catch {
    return header;
  }
}

/** Splits at semicolons outside quotes. */
function splitParameters(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i += 1) {
    if (quoted && text[i] === '\\' && isMasked(text, i)) i += 1;
    else if (text[i] === '"') quoted = !quoted;
    else if (text[i] === ';' && !quoted) {
      parts.push(text.slice(from, i).trim());
      from = i + 1;
    }
  }
  parts.push(text.slice(from).trim());
  return parts;
}

/** Whether the backslash at `at` escapes the next character. A quotation mark at the end or before a semicolon ends the name: `"C:\"`. */
function isMasked(text: string, at: number): boolean {
  if (text[at + 1] === '\\') return true;
  return text[at + 1] === '"' && /"/.test(text.slice(at + 2));
}

function valueOf(parameters: readonly string[], name: string): string | undefined {
  for (const parameter of parameters) {
    const equals = parameter.indexOf('=');
    if (equals > 0 && parameter.slice(0, equals).trim().toLowerCase() === name) return parameter.slice(equals + 1).trim();
  }
  return undefined;
}

function unquote(value: string): string {
  if (!value.startsWith('"')) return value;
  let name = '';
  for (let i = 1; i < value.length; i += 1) {
    if (value[i] === '"') break;
    if (value[i] === '\\' && isMasked(value, i)) i += 1;
    name += value[i];
  }
  return name;
}

/** Decodes RFC 8187: `UTF-8'en'percent-encoded`. */
function decodeExtended(value: string): string | undefined {
  const match = /^([\w-]+)'[^']*'(.*)$/s.exec(value);
  if (!match) return undefined;
  const encoded = match[2] as string;
  if (/%(?![0-9a-f]{2})/i.test(encoded)) return undefined;
  // Accepts characters that should have been encoded.
  const bytes = encoded
    .split(/(%[0-9a-f]{2})/i)
    .map((piece) => (/^%[0-9a-f]{2}$/i.test(piece) ? Buffer.from(piece.slice(1), 'hex') : Buffer.from(piece, 'utf8')));
  return decodeCharset(Buffer.concat(bytes), match[1] as string);
}

const ENCODED_WORD = /=\?([\w.:-]+)(?:\*[\w-]+)?\?([bq])\?([^?]*)\?=/gi;

/** Decodes RFC 2047. Adjacent words are one text: clients split long names anywhere, even inside a character. */
function decodeWords(text: string): string {
  const words = [...text.matchAll(ENCODED_WORD)];
  let decoded = '';
  let end = 0;
  let run: { charset: string; bytes: Buffer[]; source: string } | undefined;
  const flush = () => {
    if (run) decoded += decodeCharset(Buffer.concat(run.bytes), run.charset) ?? run.source;
    run = undefined;
  };
  for (const word of words) {
    const between = text.slice(end, word.index);
    const charset = (word[1] as string).toLowerCase();
    if (run?.charset !== charset || between.trim() !== '') {
      const glued = run !== undefined && between.trim() === '';
      flush();
      if (!glued) decoded += between;
      run = { charset, bytes: [], source: '' };
    } else {
      run.source += between;
    }
    run.bytes.push(wordBytes(word[2] as string, word[3] as string));
    run.source += word[0];
    end = word.index + word[0].length;
  }
  flush();
  return decoded + text.slice(end);
}

function wordBytes(encoding: string, content: string): Buffer {
  if (encoding.toLowerCase() === 'b') return Buffer.from(content, 'base64');
  const unescaped = content.replace(/_/g, ' ').replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(unescaped, /[\u0100-\uffff]/.test(unescaped) ? 'utf8' : 'latin1');
}

/** @returns `undefined` for an unknown charset and for bytes that are invalid in it */
function decodeCharset(bytes: Buffer, charset: string): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
