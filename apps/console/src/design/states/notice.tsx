import type { ReactNode } from 'react';
import { Glyph } from '../status/glyph';
import styles from './notice.module.css';

const GLYPHS = { lost: 'outOfTolerance', behind: 'inWarning', good: 'inLimits' } as const;

/** A bar below the top bar that says in what state the page is, and one action. */
export function Notice({ kind, action, children }: { kind: keyof typeof GLYPHS; action?: ReactNode; children: ReactNode }) {
  return (
    <div role="status" className={`${styles.notice} ${styles[kind] ?? ''}`}>
      <Glyph name={GLYPHS[kind]} label="" />
      <p className={styles.text}>{children}</p>
      {action}
    </div>
  );
}
