const BASE =
  '(?:[kMmcdhnuµμ]?(?:m|g|s|N|Nm|Pa|V|A|W|J|Hz|Ω|Ohm|bar|l|L|rad|mol)|min|h|t|in|inch|ft|mil|thou|lb|lbf|oz|psi|K|%|‰|ppm|' +
  '°|°C|°F|deg|grad|gon|[\'"′″]|HRC|HRB|HV|HB|dB|rpm)';
const POWER = '(?:[²³]|\\^?[23])?';
const WITH_UNIT = new RegExp(
  `^([+-]?\\d(?:[\\d.,'’\\u00a0\\u202f ]*\\d)?\\.?)[ \\u00a0]?((?:1|${BASE}${POWER})(?:[/·*]${BASE}${POWER})?)$`,
  'u',
);

/** Takes a number with a unit of measurement apart. */
export function splitUnit(text: string): { number: string; unit: string } | undefined {
  const [, number, unit] = WITH_UNIT.exec(text) ?? [];
  return number === undefined || unit === undefined || unit === '1' ? undefined : { number, unit };
}
