import { CatchBoundary } from '@tanstack/react-router';
import { lazy, Suspense, type ComponentType, type ReactNode } from 'react';
import { Button } from '../../design/controls/button';
import { useFormats, useTexts } from '../../design/language/language';
import { Failed, Skeleton } from '../../design/states/pane-state';
import { fileKind, type FileKind } from '../files/file-kind';
import type { ContentSource } from './content-source';
import type { ViewerProps } from './content-viewer-props';
import { PictureViewer } from './picture-viewer';
import type { Content } from './read-content';
import { Sentence } from './sentence';
import { TextViewer } from './text-viewer';
import { useContent, type ContentLimits, type ContentState } from './use-content';
import { texts } from './viewer-texts';
import styles from './viewer.module.css';

interface Viewer extends ContentLimits {
  show: ComponentType<ViewerProps>;
}

const MB = 1_000_000;
/** Largest file that is held in the memory of the page, bytes. */
const MAX_BYTES = 500 * MB;
/** Files above this size are read when the reader asks for it, bytes: 1,000,000 triangles in STL have 50 MB. */
const MAX_UNASKED = 60 * MB;

// The libraries of some viewers are large: each comes with the first file of its kind.
const VIEWERS: Readonly<Partial<Record<FileKind, Viewer>>> = {
  picture: { show: PictureViewer, maxUnasked: MAX_UNASKED },
  pdf: { show: lazy(async () => ({ default: (await import('./pdf/pdf-viewer')).PdfViewer })), maxUnasked: MAX_UNASKED },
  model: { show: lazy(async () => ({ default: (await import('./model/model-viewer')).ModelViewer })), maxUnasked: MAX_UNASKED },
  table: { show: lazy(async () => ({ default: (await import('./table-viewer')).TableViewer })), first: 20 * MB },
  text: { show: TextViewer, first: MB },
};

/** Whether a kind of file can be shown in the page. */
export function hasViewer(kind: FileKind): boolean {
  return VIEWERS[kind] !== undefined;
}

/** Shows a content by its kind, or a sentence that says why it cannot be shown. */
export function ContentViewer({ source }: { source: ContentSource }) {
  const t = useTexts(texts);
  const viewer = VIEWERS[fileKind(source)];
  if (source.sizeBytes === 0) return <Sentence>{t.empty}</Sentence>;
  if (!viewer) return <Sentence>{t.noViewer}</Sentence>;
  return (
    <ReadContent source={source} limits={viewer}>
      {(content) => <viewer.show source={source} content={content} />}
    </ReadContent>
  );
}

export interface ReadContentProps {
  source: ContentSource;
  limits?: ContentLimits;
  children: (content: Content) => ReactNode;
}

/** Reads a content with its progress, a large one on demand, and shows it. */
export function ReadContent({ source, limits = { maxUnasked: MAX_UNASKED }, children }: ReadContentProps) {
  const t = useTexts(texts);
  const formats = useFormats();
  const { sizeBytes } = source;
  if (sizeBytes !== undefined && sizeBytes > MAX_BYTES && limits.first === undefined) {
    return <Sentence>{t.tooLarge(formats.size(sizeBytes), formats.size(MAX_BYTES))}</Sentence>;
  }
  return (
    <Read key={source.id} source={source} limits={limits}>
      {children}
    </Read>
  );
}

function Read({ source, limits, children }: Required<ReadContentProps>) {
  const t = useTexts(texts);
  const state = useContent(source, limits);
  const { content, error, progress, isWaiting, read } = state;
  if (content !== undefined && content.bytes.length === 0) return <Sentence>{t.empty}</Sentence>;
  if (content !== undefined) {
    return (
      <CatchBoundary getResetKey={() => source.id} errorComponent={() => <Sentence>{t.failed}</Sentence>}>
        <Suspense fallback={<Skeleton />}>{children(content)}</Suspense>
      </CatchBoundary>
    );
  }
  if (progress) return <Progress source={source} state={state} />;
  if (isWaiting) return <Large state={state} />;
  return error === undefined ? <Skeleton /> : <Failed error={error} onRetry={read} />;
}

function Progress({ source, state: { progress, cancel } }: { source: ContentSource; state: ContentState }) {
  const t = useTexts(texts);
  const formats = useFormats();
  const { readBytes = 0, sizeBytes } = progress ?? {};
  return (
    <div className={styles.sentence}>
      <progress className={styles.progress} aria-label={t.progress(source.fileName)} max={sizeBytes ?? 1} value={sizeBytes && readBytes} />
      <p>
        {sizeBytes === undefined ? t.loadingUnknown(formats.size(readBytes)) : t.loading(formats.size(readBytes), formats.size(sizeBytes))}
      </p>
      <Button onPress={cancel}>{t.cancel}</Button>
    </div>
  );
}

function Large({ state: { sizeBytes, read } }: { state: ContentState }) {
  const t = useTexts(texts);
  const formats = useFormats();
  if (sizeBytes !== undefined && sizeBytes > MAX_BYTES) {
    return <Sentence>{t.tooLarge(formats.size(sizeBytes), formats.size(MAX_BYTES))}</Sentence>;
  }
  return (
    <div className={styles.sentence}>
      <p>{sizeBytes === undefined ? t.largeUnknown : t.large(formats.size(sizeBytes))}</p>
      <Button kind="primary" onPress={read}>
        {t.load}
      </Button>
    </div>
  );
}
