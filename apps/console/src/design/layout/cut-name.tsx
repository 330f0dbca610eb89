import styles from './cut-name.module.css';

export interface CutNameProps {
  text: string;
  /** Index of the word that is what tells the name from others; what stands before it gives way first. */
  toldFrom: number;
}

/** A name in one line; where it does not fit, its beginning shortens. */
export function CutName({ text, toldFrom }: CutNameProps) {
  if (toldFrom === 0) return text;
  return (
    <span className={styles.name}>
      <span>{text.slice(0, toldFrom)}</span>
      <span>{text.slice(toldFrom)}</span>
    </span>
  );
}
