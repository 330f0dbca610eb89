import { useMemo } from 'react';
import { useTexts } from '../../design/language/language';
import type { ViewerProps } from './content-viewer-props';
import { decodeText } from './decode-text';
import { PartNote } from './part-note';
import { Sentence } from './sentence';
import { texts } from './viewer-texts';
import styles from './viewer.module.css';

/** A text, or its beginning. */
export function TextViewer({ source, content }: ViewerProps) {
  const t = useTexts(texts);
  const text = useMemo(() => decodeText(content.bytes, content.isWhole), [content]);
  if (text === undefined) return <Sentence>{t.binary}</Sentence>;
  return (
    <div className={styles.column}>
      <PartNote content={content} />
      <pre className={styles.text} role="region" aria-label={source.fileName} tabIndex={0}>
        <code>{text}</code>
      </pre>
    </div>
  );
}
