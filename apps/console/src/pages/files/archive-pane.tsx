import type { RawDataInformation } from '@sinebar/client';
import { useQuery } from '@tanstack/react-query';
import { useId, useMemo, useState, type KeyboardEvent } from 'react';
import { Button } from '../../design/controls/button';
import { QuietButton } from '../../design/controls/buttons';
import { saveFile } from '../../design/export/save-file';
import { useFormats, useTexts } from '../../design/language/language';
import { PaneHead } from '../../design/page/pane-head';
import { Failed, Pane, Skeleton } from '../../design/states/pane-state';
import { BlobImage } from '../../quality/files/blob-elements';
import { fileKind, pictureType } from '../../quality/files/file-kind';
import { fileId } from '../../quality/files/file-targets';
import { useArchiveEntries } from '../../quality/files/file-preview';
import { entrySource, type ContentSource } from '../../quality/viewers/content-source';
import { hasViewer } from '../../quality/viewers/content-viewer';
import { decodeText } from '../../quality/viewers/decode-text';
import { readContent } from '../../quality/viewers/read-content';
import { queryKeys } from '../../server/queries/keys';
import { useServer } from '../../server/server';
import { archiveTree, fileCount, visibleRows, type ArchiveRow } from './archive-tree';
import { FileViewer } from './file-viewer';
import styles from './files.module.css';
import { texts } from './texts';
import textStyles from '../../design/styles/text.module.css';

export interface ArchivePaneProps {
  file: RawDataInformation;
  /** The entry whose beginning is shown. */
  entry: string | undefined;
  onEntry: (entry: string | undefined) => void;
}

/** The entries of an archive as a tree, and the beginning of the chosen one. */
export function ArchivePane({ file, entry, onEntry }: ArchivePaneProps) {
  const t = useTexts(texts);
  const entries = useArchiveEntries(file);
  return (
    <>
      <PaneHead name={t.entries} level={3} note={t.entriesNote} />
      <Pane query={entries}>
        {(names) => (
          <>
            <EntryTree key={fileId(file)} file={file} names={names} entry={entry} onEntry={onEntry} />
            {entry !== undefined && names.includes(entry) && <EntryPreview file={file} entry={entry} />}
          </>
        )}
      </Pane>
    </>
  );
}

function EntryTree({ file, names, entry, onEntry }: ArchivePaneProps & { names: readonly string[] }) {
  const t = useTexts(texts);
  const formats = useFormats();
  const id = useId();
  const tree = useMemo(() => archiveTree(names), [names]);
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(foldersOf(entry ?? tree[0]?.path ?? '')));
  const [focused, setFocused] = useState(entry ?? tree[0]?.path);
  const rows = visibleRows(tree, open);
  const index = Math.max(
    0,
    rows.findIndex(({ node }) => node.path === focused),
  );

  const setFolder = (path: string, isOpen: boolean) => {
    const changed = new Set(open);
    if (isOpen) changed.add(path);
    else changed.delete(path);
    setOpen(changed);
  };
  const press = ({ node, isOpen }: ArchiveRow) => {
    setFocused(node.path);
    if (node.children) setFolder(node.path, !isOpen);
    else onEntry(node.path);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[index];
    if (!row) return;
    const move = (to: number) => setFocused(rows[Math.min(Math.max(to, 0), rows.length - 1)]?.node.path);
    const keys: Readonly<Record<string, () => void>> = {
      ArrowDown: () => move(index + 1),
      ArrowUp: () => move(index - 1),
      Home: () => move(0),
      End: () => move(rows.length - 1),
      ArrowRight: () => (row.node.children && !row.isOpen ? setFolder(row.node.path, true) : move(index + 1)),
      ArrowLeft: () => {
        if (row.isOpen) setFolder(row.node.path, false);
        else move(rows.findLastIndex((each, at) => at < index && each.level === row.level - 1));
      },
      Enter: () => press(row),
      ' ': () => press(row),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };

  return (
    <ul
      role="tree"
      aria-label={t.treeOf(file.fileName)}
      className={styles.entries}
      tabIndex={0}
      aria-activedescendant={`${id}${index}`}
      onKeyDown={onKeyDown}
    >
      {rows.map((row, at) => (
        <li
          key={row.node.path}
          id={`${id}${at}`}
          role="treeitem"
          aria-level={row.level}
          aria-selected={row.node.path === entry}
          aria-expanded={row.node.children && row.isOpen}
          className={at === index ? `${styles.entry} ${styles.focused}` : styles.entry}
          style={{ paddingLeft: 4 + (row.level - 1) * 12 }}
          onClick={() => press(row)}
        >
          <span className={styles.twist} aria-hidden="true">
            {row.node.children && (row.isOpen ? '▾' : '▸')}
          </span>
          <span className={styles.cut}>{row.node.name}</span>
          {row.node.children && <span className={styles.entryCount}>{formats.count(row.node.children.length)}</span>}
        </li>
      ))}
      {rows.length === 0 && <li className={textStyles.soft}>{t.entriesCount(formats.count(fileCount(names)))}</li>}
    </ul>
  );
}

/** Paths of the folders that an entry lies in. */
function foldersOf(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, index) => `${names.slice(0, index + 1).join('/')}/`);
}

/** Bytes of an entry that are read for its first lines. */
const PREVIEW_BYTES = 4000;
const PREVIEW_LINES = 8;

function EntryPreview({ file, entry }: { file: RawDataInformation; entry: string }) {
  const t = useTexts(texts);
  const server = useServer();
  const [isOpen, setOpen] = useState(false);
  const [error, setError] = useState<unknown>();
  const source = useMemo(() => entrySource(server, file, entry), [server, file, entry]);
  const name = source.fileName;
  const kind = fileKind(source);
  const download = async () => {
    setError(undefined);
    try {
      const answer = await server.rawData.archiveContent(file.target, file.key, entry);
      saveFile(name, await answer.blob());
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <>
      <div className={styles.head}>
        <PaneHead name={name} level={3} note={kind === 'text' || kind === 'table' ? t.firstLines : undefined} isSpaced />
        <QuietButton onPress={() => void download()}>{t.saveEntry}</QuietButton>
      </div>
      {error !== undefined && <Failed error={error} />}
      {kind === 'picture' && <EntryPicture source={source} />}
      {(kind === 'text' || kind === 'table' || kind === 'other') && <EntryLines source={source} />}
      {hasViewer(kind) && <Button onPress={() => setOpen(true)}>{t.enlarge}</Button>}
      {isOpen && <FileViewer source={source} onDownload={() => void download()} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Largest picture that is shown unasked, bytes. */
const MAX_PICTURE_BYTES = 20_000_000;

function EntryPicture({ source }: { source: ContentSource }) {
  const picture = useQuery({
    queryKey: queryKeys.content('thumbnail', source.id),
    queryFn: async ({ signal }) => {
      const { bytes } = await readContent(source, { maxBytes: MAX_PICTURE_BYTES, signal });
      return new Blob([bytes], { type: pictureType(source) });
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  // The button below says why a picture cannot be shown.
  if (picture.error !== null) return null;
  return picture.data === undefined ? (
    <Skeleton />
  ) : (
    <BlobImage className={styles.entryPicture} blob={picture.data} alt={source.fileName} />
  );
}

/** The first lines of an entry, of which no more than those is read. */
function EntryLines({ source }: { source: ContentSource }) {
  const t = useTexts(texts);
  const beginning = useQuery({
    queryKey: queryKeys.files('entry', source.id),
    queryFn: async ({ signal }) => {
      const { bytes, isWhole } = await readContent(source, { first: PREVIEW_BYTES, signal });
      return decodeText(bytes, isWhole) ?? null;
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return (
    <Pane query={beginning}>
      {(text) =>
        text === null ? (
          <p className={textStyles.soft}>{t.binary}</p>
        ) : (
          <pre className={styles.lines} tabIndex={0}>
            <code>{text.split(/\r?\n/).slice(0, PREVIEW_LINES).join('\n')}</code>
          </pre>
        )
      }
    </Pane>
  );
}
