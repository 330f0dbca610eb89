import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../../../design/controls/button';
import fieldStyles from '../../../design/controls/field.module.css';
import { useFormats, useTexts } from '../../../design/language/language';
import { useWidth } from '../../../design/page/use-width';
import viewerStyles from '../viewer.module.css';
import { PdfPage } from './pdf-page';
import { texts } from './pdf-texts';
import styles from './pdf.module.css';

export interface PdfPagesProps {
  document: PDFDocumentProxy;
  /** Size of the first page at scale 1, px. */
  first: { width: number; height: number };
}

const STEP = 1.25;
/** A page of some metres is made smaller still, until it is seen as a whole. */
const MIN_SCALE = 0.1;
const MAX_SCALE = 6;
/** Largest scale that is chosen unasked. */
const MAX_FITTED = 2;

/** All pages below each other, with the tools that lead to a page and change the size. */
export function PdfPages({ document, first }: PdfPagesProps) {
  const t = useTexts(texts);
  const formats = useFormats();
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const [width, measure] = useWidth();
  /** Chosen scale, or what the pages are fitted to. */
  const [zoom, setZoom] = useState<number | 'width' | 'whole'>('width');
  /** Height of the box when the whole page was asked for, px. */
  const [height, setHeight] = useState(first.height);
  const [current, setCurrent] = useState(1);
  const count = document.numPages;

  const fitted = Math.min((width ?? first.width) / first.width, MAX_FITTED);
  const whole = Math.min(fitted, height / first.height);
  const scale = zoom === 'width' ? fitted : zoom === 'whole' ? whole : zoom;
  const drawnScale = useRef(scale);
  useLayoutEffect(() => {
    // The same line stays at the top.
    if (scroller.current) scroller.current.scrollTop *= scale / drawnScale.current;
    drawnScale.current = scale;
  }, [scale]);
  const change = (factor: number) => setZoom(Math.min(Math.max(scale * factor, Math.min(MIN_SCALE, whole)), MAX_SCALE));
  const pageAt = (number: number) => list.current?.children[number - 1] as HTMLElement | undefined;
  const goTo = (number: number) => {
    const page = pageAt(Math.min(Math.max(number, 1), count));
    if (page) scroller.current?.scrollTo({ top: page.offsetTop });
  };
  const onScroll = () => {
    const { scrollTop = 0, clientHeight = 0 } = scroller.current ?? {};
    const middle = scrollTop + clientHeight / 2;
    let [low, high] = [1, count];
    while (low < high) {
      const half = Math.ceil((low + high) / 2);
      if ((pageAt(half)?.offsetTop ?? 0) <= middle) low = half;
      else high = half - 1;
    }
    setCurrent(low);
  };

  return (
    <div className={viewerStyles.column}>
      <div className={viewerStyles.tools}>
        <div role="group" aria-label={t.pages} className={viewerStyles.buttons}>
          <Button aria-label={t.previous} isDisabled={current <= 1} onPress={() => goTo(current - 1)}>
            ↑
          </Button>
          <Button aria-label={t.next} isDisabled={current >= count} onPress={() => goTo(current + 1)}>
            ↓
          </Button>
          <PageField key={current} current={current} count={count} onPage={goTo} />
        </div>
        <div role="group" aria-label={t.size} className={viewerStyles.buttons}>
          <Button aria-label={t.smaller} onPress={() => change(1 / STEP)}>
            −
          </Button>
          <Button aria-label={t.larger} onPress={() => change(STEP)}>
            +
          </Button>
          <Button isOn={zoom === 'width'} onPress={() => setZoom('width')}>
            {t.width}
          </Button>
          <Button
            isOn={zoom === 'whole'}
            onPress={() => {
              setHeight(scroller.current?.clientHeight ?? first.height);
              setZoom('whole');
            }}
          >
            {t.whole}
          </Button>
          <span className={styles.percent}>{formats.percent(scale)}</span>
        </div>
      </div>
      <div ref={scroller} className={styles.scroller} tabIndex={0} role="region" aria-label={t.pages} onScroll={onScroll}>
        <div ref={measure} />
        <ol ref={list} className={styles.pages}>
          {Array.from({ length: count }, (_, index) => (
            <PdfPage key={index} document={document} number={index + 1} scale={scale} expected={first} scroller={scroller} />
          ))}
        </ol>
      </div>
    </div>
  );
}

function PageField({ current, count, onPage }: { current: number; count: number; onPage: (number: number) => void }) {
  const t = useTexts(texts);
  const formats = useFormats();
  const [typed, setTyped] = useState(String(current));
  const go = () => {
    const number = Number(typed);
    if (Number.isInteger(number) && number !== current) onPage(number);
  };
  return (
    <label className={styles.pageField}>
      {t.page}
      <input
        className={fieldStyles.field}
        inputMode="numeric"
        size={Math.max(String(count).length, 2)}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={go}
        onKeyDown={(event) => {
          if (event.key === 'Enter') go();
        }}
      />
      {t.ofPages(formats.count(count))}
    </label>
  );
}
