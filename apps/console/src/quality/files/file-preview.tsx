import type { RawDataInformation } from '@sinebar/client';
import { useQuery } from '@tanstack/react-query';
import { defineTexts, useTexts } from '../../design/language/language';
import { queryKeys } from '../../server/queries/keys';
import { useServer } from '../../server/server';
import { BlobImage } from './blob-elements';
import { fileKind } from './file-kind';
import { fileId } from './file-targets';
import styles from './file-preview.module.css';

const texts = defineTexts({
  en: {
    picture: (name: string) => `Picture ${name}`,
    firstLines: (name: string) => `First lines of ${name}`,
    archive: (name: string) => `Entries of ${name}`,
    more: (count: string) => `${count} more`,
    none: 'no preview',
    pdf: 'PDF',
    model: '3D',
    empty: 'empty',
  },
  de: {
    picture: (name: string) => `Bild ${name}`,
    firstLines: (name: string) => `Erste Zeilen von ${name}`,
    archive: (name: string) => `Einträge von ${name}`,
    more: (count: string) => `${count} weitere`,
    none: 'keine Vorschau',
    pdf: 'PDF',
    model: '3D',
    empty: 'leer',
  },
});

/** Bytes of a text that a preview reads. */
const PREVIEW_BYTES = 2000;
const PREVIEW_LINES = 6;

/** Shows what a file looks like: its picture, its first lines, or the names in an archive; never the whole file. */
export function FilePreview({ file }: { file: RawDataInformation }) {
  const t = useTexts(texts);
  switch (fileKind(file)) {
    case 'picture':
      return <Picture file={file} />;
    case 'text':
    case 'table':
      return <FirstLines file={file} />;
    case 'archive':
      return <ArchiveNames file={file} />;
    case 'pdf':
      return <span className={`${styles.frame} ${styles.word}`}>{t.pdf}</span>;
    case 'model':
      return <span className={`${styles.frame} ${styles.word}`}>{t.model}</span>;
    case 'other':
      return <span className={`${styles.frame} ${styles.word}`}>{t.none}</span>;
  }
}

function Picture({ file }: { file: RawDataInformation }) {
  const t = useTexts(texts);
  const server = useServer();
  const thumbnail = useQuery({
    queryKey: queryKeys.files('thumbnail', fileId(file), file.md5),
    queryFn: async ({ signal }) => (await server.rawData.thumbnail(file.target, file.key, { signal })).blob(),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (thumbnail.error !== null) return <span className={`${styles.frame} ${styles.word}`}>{t.none}</span>;
  return (
    <span className={styles.frame}>
      {thumbnail.data && <BlobImage className={styles.picture} blob={thumbnail.data} alt={t.picture(file.fileName)} />}
    </span>
  );
}

function FirstLines({ file }: { file: RawDataInformation }) {
  const t = useTexts(texts);
  const server = useServer();
  const beginning = useQuery({
    queryKey: queryKeys.files('beginning', fileId(file), file.md5),
    queryFn: async ({ signal }) => {
      if (file.size === 0) return '';
      return (await server.rawData.download(file.target, file.key, { range: { first: 0, last: PREVIEW_BYTES - 1 }, signal })).text();
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (beginning.error !== null) return <span className={`${styles.frame} ${styles.word}`}>{t.none}</span>;
  const lines = (beginning.data ?? '').split(/\r?\n/).slice(0, PREVIEW_LINES);
  return (
    <span className={`${styles.frame} ${styles.text}`} role="img" aria-label={t.firstLines(file.fileName)}>
      {lines.map((line, index) => (
        <code key={index}>{line === '' ? '\u00A0' : line}</code>
      ))}
    </span>
  );
}

function ArchiveNames({ file }: { file: RawDataInformation }) {
  const t = useTexts(texts);
  const { data, error } = useArchiveEntries(file);
  if (error !== null) return <span className={`${styles.frame} ${styles.word}`}>{t.none}</span>;
  const names = data ?? [];
  const shown = names.slice(0, names.length > PREVIEW_LINES ? PREVIEW_LINES - 1 : PREVIEW_LINES);
  return (
    <span className={`${styles.frame} ${styles.text}`} role="img" aria-label={t.archive(file.fileName)}>
      {shown.map((name) => (
        <code key={name}>{name}</code>
      ))}
      {names.length > shown.length && <code>{t.more(String(names.length - shown.length))}</code>}
      {data?.length === 0 && <code>{t.empty}</code>}
    </span>
  );
}

/** Reads the names in an archive without downloading it. */
export function useArchiveEntries(file: RawDataInformation) {
  const server = useServer();
  return useQuery({
    queryKey: queryKeys.files('entries', fileId(file), file.md5),
    queryFn: async ({ signal }) => (await server.rawData.archiveEntries(file.target, file.key, { signal })).entries,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}
