/** True for a closing brace or a blank. */
export function isEndOfNumber(byte: number): boolean {
  return byte === 0x7d || byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** True for signs, point, digits and the letters of an exponent. */
export function isNumberByte(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2d || byte === 0x2e || byte === 0x2b || byte === 0x65 || byte === 0x45;
}

export function isLetter(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x61 && byte <= 0x7a;
}
