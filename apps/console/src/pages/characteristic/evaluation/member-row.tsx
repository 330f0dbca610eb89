import type { ReactNode } from 'react';
import { useTexts } from '../../../design/language/language';
import { texts } from './texts';
import styles from './evaluation.module.css';

export interface MemberRowProps {
  name: string;
  /** Whether the item says it itself. */
  isOwn: boolean;
  onOwn: (isOwn: boolean) => void;
  isReadOnly: boolean;
  /** Where it comes from otherwise. */
  source: string;
  /** What is inherited, in words. */
  inherited: string;
  /** The fields of an own one. */
  children: ReactNode;
}

/** One member of the evaluation: its fields, or what the level above says. */
export function MemberRow({ name, isOwn, onOwn, isReadOnly, source, inherited, children }: MemberRowProps) {
  const t = useTexts(texts);
  return (
    <div role="group" aria-label={name} className={styles.member}>
      <span className={styles.name}>{name}</span>
      <label className={styles.own}>
        <input
          type="checkbox"
          aria-label={t.ownOf(name)}
          checked={isOwn}
          disabled={isReadOnly}
          onChange={(event) => onOwn(event.target.checked)}
        />
        {t.own}
      </label>
      <div className={styles.value}>
        {isOwn ? (
          <fieldset disabled={isReadOnly} className={styles.fields}>
            {children}
          </fieldset>
        ) : (
          <span>
            {inherited} <span className={styles.source}>{source}</span>
          </span>
        )}
      </div>
    </div>
  );
}
