export interface BasicCredentials {
  name: string;
  password: string;
}

/** Longest accepted name; the duration of hashing grows with the length. */
const MAX_NAME = 255;
const MAX_PASSWORD = 1024;

/** Reads the header after `Basic`: UTF-8 (RFC 7617), or ISO 8859-1 from older clients. @returns undefined for anything else */
export function parseBasicCredentials(encoded: string): BasicCredentials | undefined {
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(encoded)) return undefined;
  const text = decode(Buffer.from(encoded, 'base64'));
  const colon = text.indexOf(':');
  if (colon <= 0) return undefined;
  const name = text.slice(0, colon).normalize('NFC');
  const password = text.slice(colon + 1).normalize('NFC');
  // oxlint-disable-next-line no-control-regex -- these are the characters to refuse
  if (name.length > MAX_NAME || password.length > MAX_PASSWORD || /[\u0000-\u001f\u007f]/.test(name)) return undefined;
  return { name, password };
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}
