import type { ReactNode } from 'react';
import { defineTexts, useTexts } from '../../design/language/language';
import styles from './item-page.module.css';

const texts = defineTexts({ en: { path: 'Path' }, de: { path: 'Pfad' } });

/** The path above what a page shows, before its name. */
export function Crumbs({ children }: { children: readonly ReactNode[] }) {
  const t = useTexts(texts);
  return (
    <nav data-paper className={styles.crumbs} aria-label={t.path}>
      {children.map((crumb, index) => (
        <span key={index} className={styles.crumb}>
          {crumb}
          <span className={styles.slash} aria-hidden="true">
            /
          </span>
        </span>
      ))}
    </nav>
  );
}
