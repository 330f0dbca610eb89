import { AXIS_WIDTH, LABELS_WIDTH, widthOf } from '@sinebar/charts';

/** Widths of the panes, px; see the measures of the design. */
export interface Layout {
  readonly kind: 'wide' | 'narrow' | 'phone';
  readonly individuals: number;
  readonly histogram: number;
  readonly probability: number;
  readonly newest: number;
  /** Width of the dimension lines, and of the indices. */
  readonly spans: number;
  readonly indices: number;
}

const SHORT_LABELS = widthOf(0, false, 'short');
export const GAP = 16;
/** Content width from which the three panes of one ruler stand side by side. */
const WIDE = 1080;
const PHONE = 560;
/** Content width for which the panes were drawn. */
const DRAWN = 1152;

/** Lays out the six panes for a width of the content. */
export function layoutOf(width: number): Layout {
  if (width >= WIDE) {
    const more = width - DRAWN;
    const histogram = Math.round(164 + Math.max(0, more) * 0.15);
    const probability = Math.round(220 + Math.max(more * 0.25, -60));
    const individuals = width - AXIS_WIDTH - 2 * GAP - LABELS_WIDTH - histogram - probability;
    const right = histogram + GAP + probability + LABELS_WIDTH;
    return { kind: 'wide', individuals, histogram, probability, newest: individuals, spans: right, indices: right };
  }
  if (width >= PHONE) {
    const individuals = width - AXIS_WIDTH - LABELS_WIDTH;
    const histogram = Math.round(individuals * 0.22);
    const probability = Math.round(individuals * 0.284);
    const newest = individuals - histogram - probability - 2 * GAP;
    const spans = Math.round((width - 24) * 0.447);
    return { kind: 'narrow', individuals, histogram, probability, newest, spans, indices: width - 24 - spans };
  }
  const individuals = Math.max(160, width - AXIS_WIDTH - SHORT_LABELS);
  const histogram = Math.round((width - AXIS_WIDTH - GAP) * 0.38);
  return {
    kind: 'phone',
    individuals,
    histogram,
    probability: width - AXIS_WIDTH - GAP - histogram,
    newest: individuals,
    spans: width,
    indices: width,
  };
}
