import type { DrawingPoint, RawDataInformation } from '@sinebar/client';
import { lazy, useCallback, useMemo, useRef, useState, type ReactNode } from 'react';
import { Button } from '../../design/controls/button';
import { useTexts } from '../../design/language/language';
import { OptionsLine } from '../../design/layout/lines';
import { fileKind } from '../../quality/files/file-kind';
import { fileSource } from '../../quality/viewers/content-source';
import { ReadContent } from '../../quality/viewers/content-viewer';
import { texts as viewerTexts } from '../../quality/viewers/viewer-texts';
import { useServer } from '../../server/server';
import { BalloonLayer, type BalloonLayerProps } from './balloon-layer';
import styles from './drawing.module.css';
import { PictureSheet } from './sheet/picture-sheet';
import { texts } from './texts';
import { useBoxSize } from '../../design/page/use-box-size';

const PdfSheet = lazy(async () => ({ default: (await import('./sheet/pdf-sheet')).PdfSheet }));

const STEP = 1.25;
const MIN_ZOOM = 0.5;
const MAX_ZOOM = 12;
/** Largest scale that is chosen unasked: a small picture is not blown up beyond it. */
const MAX_FITTED = 2;

interface BalloonedDrawingProps extends Omit<BalloonLayerProps, 'size'> {
  file: RawDataInformation;
  actions: ReactNode;
  /** Called with the point in the middle of the view, as fractions of the drawing. */
  onMiddle: (point: DrawingPoint) => void;
}

/** An image, or the first page of a PDF, with balloons above it; larger than its box where the reader wants to see more. */
export function BalloonedDrawing({ file, actions, onMiddle, ...layer }: BalloonedDrawingProps) {
  const t = useTexts(texts);
  const words = useTexts(viewerTexts);
  const server = useServer();
  const source = useMemo(() => fileSource(server, file), [server, file]);
  const [natural, setNatural] = useState<{ width: number; height: number }>();
  const [zoom, setZoom] = useState(1);
  const scroller = useRef<HTMLDivElement | null>(null);
  const [box, measure] = useBoxSize();
  const attach = useCallback(
    (element: HTMLDivElement | null) => {
      scroller.current = element;
      return measure(element);
    },
    [measure],
  );
  const fitted =
    natural && box ? Math.min(box.width / Math.max(natural.width, 1), box.height / Math.max(natural.height, 1), MAX_FITTED) : undefined;
  const scale = (fitted ?? 1) * zoom;
  const size = natural && fitted !== undefined ? { width: natural.width * scale, height: natural.height * scale } : undefined;
  const change = (factor: number) => setZoom((now) => Math.min(Math.max(now * factor, MIN_ZOOM), MAX_ZOOM));
  const tellMiddle = () => {
    const element = scroller.current;
    if (!element || !size) return;
    onMiddle({
      x: Math.min((element.scrollLeft + element.clientWidth / 2) / Math.max(element.scrollWidth, 1), 1),
      y: Math.min((element.scrollTop + element.clientHeight / 2) / Math.max(element.scrollHeight, 1), 1),
    });
  };
  const Sheet = fileKind(file) === 'pdf' ? PdfSheet : PictureSheet;

  return (
    <div className={styles.column}>
      <OptionsLine actions={actions}>
        <div role="group" aria-label={words.zoom} className={styles.zoom}>
          <Button aria-label={words.smaller} onPress={() => change(1 / STEP)}>
            −
          </Button>
          <Button aria-label={words.larger} onPress={() => change(STEP)}>
            +
          </Button>
          <Button isOn={zoom === 1} onPress={() => setZoom(1)}>
            {words.fit}
          </Button>
        </div>
      </OptionsLine>
      <div ref={attach} className={styles.scroller} tabIndex={0} role="region" aria-label={t.drawing} onScroll={tellMiddle}>
        <ReadContent source={source}>
          {(content) => (
            <div className={styles.sheet} style={size}>
              <Sheet source={source} content={content} scale={scale} onSize={setNatural} />
              {size && <BalloonLayer {...layer} size={size} />}
            </div>
          )}
        </ReadContent>
      </div>
    </div>
  );
}
