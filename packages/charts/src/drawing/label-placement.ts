/** Distance between two labels, px. */
const LABEL_DISTANCE = 14.5;

/** A label at the place of its line, and where it stands so that it touches no other. */
export type Placed<T> = T & { readonly at: number };

/** Moves labels apart to at least `distance`, each as near to its line as possible, between `low` and `high`. */
export function placeLabels<T extends { readonly y: number }>(
  labels: readonly T[],
  low: number,
  high: number,
  distance = LABEL_DISTANCE,
): Placed<T>[] {
  const sorted = [...labels].sort((a, b) => a.y - b.y);
  // Labels that touch form a block whose middle is the mean of its lines.
  const blocks: { start: number; labels: T[] }[] = [];
  for (const label of sorted) {
    let block = { start: clamped(label.y, low, high), labels: [label] };
    for (let before = blocks.at(-1); before && before.start + before.labels.length * distance > block.start; before = blocks.at(-1)) {
      blocks.pop();
      block = blockOf([...before.labels, ...block.labels], low, high, distance);
    }
    blocks.push(block);
  }
  return blocks.flatMap(({ start, labels: group }) => group.map((label, i) => ({ ...label, at: start + i * distance })));
}

function blockOf<T extends { readonly y: number }>(labels: T[], low: number, high: number, distance: number) {
  const reach = (labels.length - 1) * distance;
  const middle = labels.reduce((sum, { y }) => sum + y, 0) / labels.length;
  return { start: clamped(middle - reach / 2, low, high - reach), labels };
}

function clamped(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(value, high));
}

/** Cuts a text to so many characters; an ellipsis stands for the rest. */
export function shortened(text: string, characters: number): string {
  return text.length > characters ? `${text.slice(0, Math.max(0, characters - 1))}…` : text;
}

/** Letters of the same width in sans-serif fonts of 12 px, which differ little. */
const WIDTHS: readonly (readonly [letters: RegExp, px: number])[] = [
  [/[ijl.,:;!|' ]/, 3.4],
  [/[frtI()/-]/, 4.4],
  [/[mwMW%…]/, 10.4],
  [/[A-Z−+]/, 8.2],
];
const USUAL_WIDTH = 6.8;

/** Width of a text of 12 px, as well as it can be known without a font. */
export function textWidth(text: string): number {
  return [...text].reduce((sum, letter) => sum + (WIDTHS.find(([letters]) => letters.test(letter))?.[1] ?? USUAL_WIDTH), 0);
}

/** Cuts a text to so many pixels; of a text that keeps fewer than three letters nothing is left. */
export function fitted(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let letters = text.length - 1;
  while (letters > 0 && textWidth(`${text.slice(0, letters)}…`) > width) letters -= 1;
  return letters < 3 ? '' : `${text.slice(0, letters)}…`;
}
