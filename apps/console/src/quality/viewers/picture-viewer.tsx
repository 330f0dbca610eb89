import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Button } from '../../design/controls/button';
import { useFormats, useTexts } from '../../design/language/language';
import { Skeleton } from '../../design/states/pane-state';
import textStyles from '../../design/styles/text.module.css';
import { queryKeys } from '../../server/queries/keys';
import { BlobImage } from '../files/blob-elements';
import { pictureType } from '../files/file-kind';
import type { ContentSource } from './content-source';
import type { ViewerProps } from './content-viewer-props';
import { isCutPicture } from './picture-file';
import { Sentence } from './sentence';
import { texts } from './viewer-texts';
import styles from './viewer.module.css';

const STEP = 1.25;
const MIN_ZOOM = 0.02;
const MAX_ZOOM = 8;

/** A picture, fitted to its box or in a size that the reader chooses. */
export function PictureViewer({ source, content }: ViewerProps) {
  const t = useTexts(texts);
  const formats = useFormats();
  const blob = useMemo(() => new Blob([content.bytes], { type: pictureType(source) }), [content, source]);
  const isCut = useMemo(() => isCutPicture(content.bytes), [content]);
  const [shown, setShown] = useState<{ width: number; height: number; fitted: number }>();
  const [isBroken, setBroken] = useState(false);
  /** Pixels of the screen for one of the picture; fitted without it. */
  const [zoom, setZoom] = useState<number>();
  if (isBroken) return <SmallPicture source={source} />;
  const scale = (factor: number) => setZoom((now) => Math.min(Math.max((now ?? shown?.fitted ?? 1) * factor, MIN_ZOOM), MAX_ZOOM));
  return (
    <div className={styles.column}>
      <div className={styles.tools}>
        <div role="group" aria-label={t.zoom} className={styles.buttons}>
          <Button aria-label={t.smaller} onPress={() => scale(1 / STEP)}>
            −
          </Button>
          <Button aria-label={t.larger} onPress={() => scale(STEP)}>
            +
          </Button>
          <Button isOn={zoom === undefined} onPress={() => setZoom(undefined)}>
            {t.fit}
          </Button>
          <Button isOn={zoom === 1} onPress={() => setZoom(1)}>
            {formats.percent(1)}
          </Button>
        </div>
        {shown && <p className={textStyles.note}>{t.pictureSize(formats.count(shown.width), formats.count(shown.height))}</p>}
      </div>
      {isCut && <p className={textStyles.note}>{t.cutPicture}</p>}
      <div className={styles.scroller} tabIndex={0} role="region" aria-label={source.fileName}>
        <BlobImage
          blob={blob}
          alt={source.fileName}
          className={zoom === undefined ? styles.fitted : styles.zoomed}
          {...(zoom !== undefined && shown && { style: { width: shown.width * zoom } })}
          onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height, clientWidth } }) =>
            setShown({ width, height, fitted: clientWidth / Math.max(width, 1) })
          }
          onError={() => setBroken(true)}
        />
      </div>
    </div>
  );
}

/** The picture of the server, in the place of one that the browser cannot show. */
function SmallPicture({ source }: { source: ContentSource }) {
  const t = useTexts(texts);
  const { thumbnail } = source;
  const small = useQuery({
    queryKey: queryKeys.content('thumbnail', source.id),
    queryFn: async ({ signal }) => (await thumbnail?.({ signal }))?.blob() ?? null,
    enabled: thumbnail !== undefined,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (thumbnail === undefined || small.error !== null || small.data === null) return <Sentence>{t.brokenPicture}</Sentence>;
  if (small.data === undefined) return <Skeleton />;
  return (
    <div className={styles.column}>
      <p className={textStyles.note}>{t.smallPicture}</p>
      <BlobImage className={styles.fitted} blob={small.data} alt={source.fileName} />
    </div>
  );
}
