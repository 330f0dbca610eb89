import { useMemo, useState } from 'react';
import { useTexts } from '../../../design/language/language';
import { BlobImage } from '../../../quality/files/blob-elements';
import { pictureType } from '../../../quality/files/file-kind';
import { Sentence } from '../../../quality/viewers/sentence';
import { texts } from '../../../quality/viewers/viewer-texts';
import styles from '../drawing.module.css';
import type { SheetProps } from './sheet-props';

/** Size of a picture that tells none, as some SVG do, px. */
const USUAL_SIZE = 1000;

/** A drawing that is an image. */
export function PictureSheet({ source, content, onSize }: SheetProps) {
  const t = useTexts(texts);
  const blob = useMemo(() => new Blob([content.bytes], { type: pictureType(source) }), [content, source]);
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return <Sentence>{t.brokenPicture}</Sentence>;
  return (
    <BlobImage
      blob={blob}
      alt={source.fileName}
      className={styles.picture}
      onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
        onSize({ width: naturalWidth || USUAL_SIZE, height: naturalHeight || USUAL_SIZE })
      }
      onError={() => setBroken(true)}
    />
  );
}
