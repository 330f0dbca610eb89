import { useEffect, useRef, useState } from 'react';
import { Hidden } from '../../../design/controls/text-field';
import { useTexts } from '../../../design/language/language';
import { Failed, Skeleton } from '../../../design/states/pane-state';
import { drawPage } from '../../../quality/viewers/pdf/draw-page';
import { texts as pdfTexts } from '../../../quality/viewers/pdf/pdf-texts';
import { usePdf } from '../../../quality/viewers/pdf/use-pdf';
import { Sentence } from '../../../quality/viewers/sentence';
import styles from '../drawing.module.css';
import type { SheetProps } from './sheet-props';
import { texts } from '../texts';

/** A drawing that is the first page of a PDF. */
export function PdfSheet({ source, content, scale, onSize }: SheetProps) {
  const t = useTexts(texts);
  const words = useTexts(pdfTexts);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { opening, error } = usePdf(content);
  const [text, setText] = useState('');
  const [isBroken, setBroken] = useState(false);
  const document = opening?.state === 'open' ? opening.document : undefined;

  useEffect(() => {
    const target = canvas.current;
    if (!document || !target) return undefined;
    const ending = new AbortController();
    drawPage(document, 1, target, { scale, signal: ending.signal, onSize, onText: setText }).catch(() => {
      if (!ending.signal.aborted) setBroken(true);
    });
    return () => ending.abort();
  }, [document, scale, onSize]);

  if (error !== undefined) return <Failed error={error} />;
  if (opening === undefined) return <Skeleton />;
  if (opening.state === 'locked') return <Sentence>{t.locked}</Sentence>;
  if (opening.state === 'broken') return <Sentence>{words.broken}</Sentence>;
  return (
    <>
      <canvas ref={canvas} className={styles.picture} role="img" aria-label={source.fileName} />
      {isBroken && <Sentence>{words.brokenPage}</Sentence>}
      <Hidden>{text}</Hidden>
    </>
  );
}
