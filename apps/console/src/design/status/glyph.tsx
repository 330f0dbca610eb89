import { GLYPHS as SHAPES, type Shape, type Status } from '@sinebar/charts';
import { Shapes } from '../drawing/shapes';
import { useTexts } from '../language/language';
import { statusTexts } from './status-texts';
import styles from './glyph.module.css';

export type { Status } from '@sinebar/charts';

/** Meanings of a glyph: a status of a group, a status of a value, or a mark of a chart. `belowTolerance` points down. */
export type GlyphName = Status | 'belowTolerance' | 'aboveTolerance' | 'excluded' | 'rule';

const GLYPHS: Record<GlyphName, readonly Shape[]> = {
  inLimits: SHAPES.disc,
  inWarning: SHAPES.halfDisc,
  outOfTolerance: SHAPES.up,
  aboveTolerance: SHAPES.up,
  belowTolerance: SHAPES.down,
  noLimits: SHAPES.dash,
  noData: SHAPES.square,
  excluded: SHAPES.cross,
  rule: SHAPES.ring,
};

/** A status as a shape with a text for screen readers; `label` replaces the text, `''` hides the shape from them. */
export function Glyph({ name, label }: { name: GlyphName; label?: string }) {
  const names = useTexts(statusTexts);
  const text = label ?? names[name];
  return (
    <svg
      className={`${styles.glyph} ${styles[name]}`}
      viewBox="0 0 12 12"
      {...(text === '' ? { 'aria-hidden': true } : { role: 'img', 'aria-label': text })}
    >
      <Shapes of={GLYPHS[name]} sheets={[styles]} />
    </svg>
  );
}
