import { SinebarError, type RawDataInformation } from '@sinebar/client';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { Button } from '../../design/controls/button';
import { QuietButton } from '../../design/controls/buttons';
import { ConfirmDialog } from '../../design/controls/confirm-dialog';
import fieldStyles from '../../design/controls/field.module.css';
import { saveFile } from '../../design/export/save-file';
import { useFormats, useTexts } from '../../design/language/language';
import { NamedValues } from '../../design/layout/lines';
import { Failed } from '../../design/states/pane-state';
import { fileKind } from '../../quality/files/file-kind';
import { fileId } from '../../quality/files/file-targets';
import { FilePreview } from '../../quality/files/file-preview';
import { md5Text } from '../../quality/files/md5-text';
import { fileSource } from '../../quality/viewers/content-source';
import { hasViewer } from '../../quality/viewers/content-viewer';
import { queryKeys } from '../../server/queries/keys';
import { useServer } from '../../server/server';
import { ArchivePane } from './archive-pane';
import { FileViewer } from './file-viewer';
import styles from './files.module.css';
import { texts } from './texts';
import type { FileItem } from './use-files';
import textStyles from '../../design/styles/text.module.css';

export interface SelectedFileProps {
  file: RawDataInformation | undefined;
  /** Whether the address names a file that is not listed. */
  isMissing: boolean;
  mayWrite: boolean;
  itemOf: (file: RawDataInformation) => FileItem;
  entry: string | undefined;
  onEntry: (entry: string | undefined) => void;
  onDeleted: () => void;
}

/** The file that is selected: what it is, what is in it, and what can be done with it. */
export function SelectedFile({ file, isMissing, ...props }: SelectedFileProps) {
  const t = useTexts(texts);
  if (file === undefined) return <p className={textStyles.soft}>{isMissing ? t.notFound : t.nothingSelected}</p>;
  return <File key={fileId(file)} file={file} {...props} />;
}

function File({
  file,
  mayWrite,
  itemOf,
  entry,
  onEntry,
  onDeleted,
}: Omit<SelectedFileProps, 'isMissing' | 'file'> & { file: RawDataInformation }) {
  const t = useTexts(texts);
  const formats = useFormats();
  const server = useServer();
  const queries = useQueryClient();
  const [isRenaming, setRenaming] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const [error, setError] = useState<unknown>();
  const place = itemOf(file);
  const kind = fileKind(file);
  const source = useMemo(() => fileSource(server, file), [server, file]);

  const download = async () => {
    setError(undefined);
    try {
      const answer = await server.rawData.download(file.target, file.key);
      saveFile(file.fileName, await answer.blob());
    } catch (failure) {
      setError(failure);
    }
  };

  return (
    <>
      <div className={styles.head}>
        <h2>{file.fileName}</h2>
        <span className={styles.headActions}>
          <QuietButton onPress={() => void download()}>{t.download}</QuietButton>
          {mayWrite && <QuietButton onPress={() => setRenaming(true)}>{t.rename}</QuietButton>}
          {mayWrite && (
            <QuietButton isDanger onPress={() => setDeleting(true)}>
              {t.delete}
            </QuietButton>
          )}
        </span>
      </div>
      {error !== undefined && <Failed error={error} />}
      {isRenaming && <Rename file={file} onClose={() => setRenaming(false)} />}
      <NamedValues
        values={[
          { name: t.fileOf, value: <Place place={place} /> },
          { name: t.added, value: formats.dateTime(file.created) },
          ...(file.lastModified === file.created ? [] : [{ name: t.changed, value: formats.dateTime(file.lastModified) }]),
          { name: t.size, value: formats.size(file.size) },
          { name: t.type, value: file.mimeType },
          { name: t.md5, value: <code>{md5Text(file.md5)}</code> },
        ]}
      />
      {kind === 'archive' ? (
        <ArchivePane file={file} entry={entry} onEntry={onEntry} />
      ) : hasViewer(kind) ? (
        <>
          <figure className={styles.preview}>
            <FilePreview file={file} />
          </figure>
          <Button onPress={() => setOpen(true)}>{t.enlarge}</Button>
        </>
      ) : (
        <p className={textStyles.soft}>{t.noPreview}</p>
      )}
      {isOpen && <FileViewer source={source} onDownload={() => void download()} onClose={() => setOpen(false)} />}
      {isDeleting && (
        <ConfirmDialog
          title={t.deleteTitle(file.fileName)}
          goes={[t.goesFile(formats.size(file.size)), t.goesPlace(place.name)]}
          action={t.deleteAction}
          onConfirm={async () => {
            await server.rawData.delete(file.target, file.key);
            await queries.invalidateQueries({ queryKey: queryKeys.files('list') });
            onDeleted();
          }}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  );
}

function Place({ place }: { place: FileItem }) {
  const t = useTexts(texts);
  const name = place.name === '' ? t.somewhere : place.name;
  if (place.measurementUuid !== undefined) {
    return (
      <Link to="/measurements/$measurementUuid" params={{ measurementUuid: place.measurementUuid }} className={textStyles.link}>
        {name}
      </Link>
    );
  }
  if (place.partUuid !== undefined) {
    return (
      <Link to="/parts/$partUuid" params={{ partUuid: place.partUuid }} className={textStyles.link}>
        {name}
      </Link>
    );
  }
  return name;
}

function Rename({ file, onClose }: { file: RawDataInformation; onClose: () => void }) {
  const t = useTexts(texts);
  const server = useServer();
  const queries = useQueryClient();
  const [name, setName] = useState(file.fileName);
  const [problem, setProblem] = useState<string>();
  const save = async () => {
    setProblem(undefined);
    try {
      await server.rawData.rename(file.target, file.key, { fileName: name });
      await queries.invalidateQueries({ queryKey: queryKeys.files() });
      onClose();
    } catch (error) {
      if (!(error instanceof SinebarError)) throw error;
      setProblem(error.message);
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <div className={styles.rename}>
        <input
          className={fieldStyles.field}
          aria-label={t.newName}
          value={name}
          autoFocus
          onFocus={(event) => event.target.setSelectionRange(0, Math.max(name.lastIndexOf('.'), 0) || name.length)}
          onChange={(event) => setName(event.target.value)}
        />
        <Button kind="primary" type="submit" isDisabled={name === '' || name === file.fileName}>
          {t.saveName}
        </Button>
        <Button onPress={onClose}>{t.cancelRename}</Button>
      </div>
      {problem !== undefined && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}
