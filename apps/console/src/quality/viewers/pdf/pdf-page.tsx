import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { Hidden } from '../../../design/controls/text-field';
import { useFormats, useTexts } from '../../../design/language/language';
import { drawPage } from './draw-page';
import { texts } from './pdf-texts';
import styles from './pdf.module.css';

export interface PdfPageProps {
  document: PDFDocumentProxy;
  /** From 1. */
  number: number;
  scale: number;
  /** Size of the first page at scale 1, which stands for this one until it is read, px. */
  expected: { width: number; height: number };
  scroller: RefObject<HTMLDivElement | null>;
}

/** Pages this far outside of the view are drawn too, px. */
const MARGIN = '800px 0px';

/** A page of a document, drawn while it is in view or near it. */
export function PdfPage({ document, number, scale, expected, scroller }: PdfPageProps) {
  const t = useTexts(texts);
  const formats = useFormats();
  const box = useRef<HTMLLIElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isNear, setNear] = useState(false);
  const [size, setSize] = useState(expected);
  const [text, setText] = useState('');
  const [isBroken, setBroken] = useState(false);

  useEffect(() => {
    if (!box.current) return undefined;
    const observer = new IntersectionObserver(([entry]) => setNear(entry?.isIntersecting === true), {
      root: scroller.current,
      rootMargin: MARGIN,
    });
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [scroller]);

  useEffect(() => {
    const target = canvas.current;
    if (!isNear || !target) return undefined;
    const ending = new AbortController();
    drawPage(document, number, target, { scale, signal: ending.signal, onSize: setSize, onText: setText }).catch(() => {
      if (!ending.signal.aborted) setBroken(true);
    });
    return () => {
      ending.abort();
      // A canvas without pixels gives its memory back.
      target.width = 0;
    };
  }, [document, number, scale, isNear]);

  return (
    <li ref={box} className={styles.page} style={{ width: size.width * scale, height: size.height * scale }}>
      <canvas
        ref={canvas}
        className={styles.canvas}
        role="img"
        aria-label={t.pageOf(formats.count(number), formats.count(document.numPages))}
      />
      {isBroken && <p className={styles.brokenPage}>{t.brokenPage}</p>}
      <Hidden>{text}</Hidden>
    </li>
  );
}
