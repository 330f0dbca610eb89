/** Formats of the MD5 in answers (spec: decisions.md 6.3). */
export const MD5_FORMATS = ['guid', 'hex'] as const;
export type Md5Format = (typeof MD5_FORMATS)[number];

const BYTE_ORDER_OF_GUID = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15];

/**
 * @param digest 32 hexadecimal digits, as md5sum prints them
 * @returns `guid`: the text of a .NET GUID, whose first three groups are byte-reversed; `hex`: the digits
 * spec: decisions.md 6.3
 */
export function formatMd5(digest: string, format: Md5Format): string {
  if (format === 'hex') return digest;
  const hex = inGuidOrder(digest);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/**
 * Reads an MD5 of a client: Base64, 32 digits, or digits in groups; with or without quotes.
 * Digits may be in the order of the digest or of a GUID; the text does not say which, so both readings are returned.
 * @returns possible digests; an empty list for all zeros, which means "not given"; `undefined` when it is no MD5
 * spec: decisions.md 6.2, 6.3
 */
export function parseMd5(text: string): string[] | undefined {
  const bare = text
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .replace(/^\{(.*)\}$/, '$1')
    .trim();
  if (/^[A-Za-z0-9+/]{22}==$/.test(bare)) return notZero([Buffer.from(bare, 'base64').toString('hex')]);
  if (!/^([0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.test(bare)) return undefined;
  const digits = bare.replace(/-/g, '').toLowerCase();
  return notZero([digits, inGuidOrder(digits)]);
}

function notZero(digests: string[]): string[] {
  return digests.every((digest) => /^0+$/.test(digest)) ? [] : digests;
}

function inGuidOrder(digest: string): string {
  return BYTE_ORDER_OF_GUID.map((byte) => digest.slice(2 * byte, 2 * byte + 2)).join('');
}
