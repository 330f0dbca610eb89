import { defineTexts, useTexts } from '../language/language';
import styles from './glyph.module.css';

/** Statuses of values and of groups of values, worst last but for `noData`. */
export type Status = 'inLimits' | 'inWarning' | 'outOfTolerance' | 'noData';

/** Meanings of a glyph: a status of a group, a status of a value, or a mark of a chart. `belowTolerance` points down. */
export type GlyphName = Status | 'belowTolerance' | 'aboveTolerance' | 'excluded' | 'rule';

const texts = defineTexts({
  en: {
    inLimits: 'in limits',
    inWarning: 'warning',
    outOfTolerance: 'out of tolerance',
    belowTolerance: 'below tolerance',
    aboveTolerance: 'above tolerance',
    noData: 'no data',
    excluded: 'excluded',
    rule: 'run rule',
  },
  de: {
    inLimits: 'in den Grenzen',
    inWarning: 'Warnung',
    outOfTolerance: 'außerhalb der Toleranz',
    belowTolerance: 'unter der Toleranz',
    aboveTolerance: 'über der Toleranz',
    noData: 'keine Werte',
    excluded: 'ausgeschlossen',
    rule: 'Regel verletzt',
  },
});

const SHAPES: Record<GlyphName, React.ReactNode> = {
  inLimits: <circle cx="6" cy="6" r="3.75" />,
  inWarning: (
    <>
      <circle className={styles.hollow} cx="6" cy="6" r="4.25" />
      <path d="M6 1.75a4.25 4.25 0 0 1 0 8.5z" />
    </>
  ),
  outOfTolerance: <path d="M6 .75 11.5 10.5H.5z" />,
  aboveTolerance: <path d="M6 .75 11.5 10.5H.5z" />,
  belowTolerance: <path d="M6 11.25 11.5 1.5H.5z" />,
  noData: <path d="M2.25 2.25h7.5v7.5h-7.5z" />,
  excluded: <path className={styles.cross} d="M2.5 2.5l7 7M9.5 2.5l-7 7" />,
  rule: <circle className={styles.hollow} cx="6" cy="6" r="4" />,
};

/** A status as a shape with a text for screen readers; `label` replaces the text, `''` hides the shape from them. */
export function Glyph({ name, label }: { name: GlyphName; label?: string }) {
  const names = useTexts(texts);
  const text = label ?? names[name];
  return (
    <svg
      className={`${styles.glyph} ${styles[name]}`}
      viewBox="0 0 12 12"
      {...(text === '' ? { 'aria-hidden': true } : { role: 'img', 'aria-label': text })}
    >
      {SHAPES[name]}
    </svg>
  );
}
