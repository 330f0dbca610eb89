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
