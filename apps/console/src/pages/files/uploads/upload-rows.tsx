import type { RawDataInformation } from '@sinebar/client';
import { QuietButton } from '../../../design/controls/buttons';
import { useFormats, useTexts } from '../../../design/language/language';
import { Glyph } from '../../../design/status/glyph';
import textStyles from '../../../design/styles/text.module.css';
import styles from '../files.module.css';
import { texts } from '../texts';
import type { Upload } from './upload-list';
import type { Uploads } from './use-uploads';

export interface UploadRowsProps {
  uploads: Uploads;
  targetName: string;
  /** Whether files are held over the page. */
  isOver: boolean;
  onOpen: (file: RawDataInformation) => void;
}

/** The field that says what dropped files become, with a row for each upload. */
export function UploadRows({ uploads, targetName, isOver, onOpen }: UploadRowsProps) {
  const t = useTexts(texts);
  return (
    <section className={isOver ? `${styles.uploads} ${styles.over}` : styles.uploads} aria-label={t.uploads}>
      <p className={styles.dropLine}>
        {isOver ? t.dropNow : t.dropHere} <strong>{targetName}</strong>.
      </p>
      {uploads.uploads.length > 0 && (
        <ul>
          {uploads.uploads.map((upload) => (
            <UploadRow key={upload.id} upload={upload} uploads={uploads} onOpen={onOpen} />
          ))}
        </ul>
      )}
    </section>
  );
}

function UploadRow({ upload, uploads, onOpen }: { upload: Upload; uploads: Uploads; onOpen: (file: RawDataInformation) => void }) {
  const t = useTexts(texts);
  const formats = useFormats();
  const { id, name, state, stored, problem, sizeBytes, sentBytes, targetName, secondsLeft: left } = upload;
  const note = {
    waiting: t.waiting,
    sending: [t.sent(formats.size(sentBytes), formats.size(sizeBytes)), ...(left === undefined ? [] : [t.left(formats.count(left))])].join(
      ', ',
    ),
    stored: t.stored(formats.size(sizeBytes)),
    failed: problem ?? '',
    cancelled: t.cancelled,
  }[state];
  const isRunning = state === 'waiting' || state === 'sending';
  return (
    <li className={state === 'failed' ? styles.failed : undefined}>
      <span className={styles.upName}>
        {state === 'failed' && <Glyph name="outOfTolerance" label="" />}
        <span className={styles.cut}>{name}</span>
        <span className={textStyles.soft}>{targetName}</span>
      </span>
      <progress
        className={styles.progress}
        aria-label={t.progress(name)}
        max={Math.max(sizeBytes, 1)}
        value={state === 'failed' ? 0 : sizeBytes === 0 && state === 'stored' ? 1 : sentBytes}
      />
      <span className={styles.upNote} role={state === 'failed' ? 'alert' : undefined}>
        {note}
      </span>
      {isRunning ? (
        <QuietButton onPress={() => uploads.cancel(id)}>{t.cancel}</QuietButton>
      ) : stored ? (
        <QuietButton
          onPress={() => {
            onOpen(stored);
            uploads.remove(id);
          }}
        >
          {t.open}
        </QuietButton>
      ) : (
        <QuietButton onPress={() => uploads.remove(id)}>{t.removeUpload}</QuietButton>
      )}
    </li>
  );
}
