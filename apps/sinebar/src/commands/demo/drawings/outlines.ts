/** Outlines in hundredths of the drawing, as elements of SVG. */
const DOOR =
  '<path d="M 12 88 L 10 48 L 34 12 Q 37 8 42 8 L 88 8 Q 92 8 92 13 L 90 88 Q 90 92 86 92 L 16 92 Q 12 92 12 88 Z"/>' +
  '<path d="M 18 46 L 38 16 Q 40 13 44 13 L 85 13 Q 87 13 87 16 L 86 46 Z" fill="#fff"/>' +
  '<rect x="70" y="54" width="14" height="4" rx="2" fill="#fff"/>';

const OUTLINES: Readonly<Record<string, string>> = {
  '/Pump housing':
    '<rect x="16" y="16" width="68" height="70" rx="8"/><ellipse cx="50" cy="50" rx="18" ry="24"/><ellipse cx="50" cy="50" rx="10" ry="13.3" fill="#fff"/>' +
    [22, 33.2, 44.4, 55.6, 66.8, 78].map((x) => `<ellipse cx="${x}" cy="22" rx="1.8" ry="2.4" fill="#fff"/>`).join(''),
  '/Drive shaft':
    '<rect x="10" y="40" width="20" height="20"/><rect x="30" y="34" width="40" height="32"/><rect x="70" y="40" width="20" height="20"/>' +
    '<path d="M 6 50 L 94 50" stroke-dasharray="3 1 0.6 1"/>',
  '/Seal ring': '<ellipse cx="50" cy="50" rx="27" ry="36"/><ellipse cx="50" cy="50" rx="21" ry="28" fill="#fff"/>',
};

/** @param product path of a product; any other than the small ones is the door */
export function outlineOf(product: string): string {
  return OUTLINES[product] ?? DOOR;
}
