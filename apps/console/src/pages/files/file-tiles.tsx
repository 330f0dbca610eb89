import type { RawDataInformation } from '@sinebar/client';
import { ToggleButton } from 'react-aria-components';
import { useFormats, useTexts } from '../../design/language/language';
import { PaneHead } from '../../design/page/pane-head';
import { FilePreview } from '../../quality/files/file-preview';
import { fileId } from '../../quality/files/file-targets';
import styles from './files.module.css';
import { texts } from './texts';
import type { FileItem } from './use-files';

export interface FileTilesProps {
  files: readonly RawDataInformation[];
  /** Files in all, those that are no tiles included. */
  total: number;
  itemOf: (file: RawDataInformation) => FileItem;
  selected: string | undefined;
  onSelect: (file: RawDataInformation) => void;
}

/** Files as tiles, each with what it looks like. */
export function FileTiles({ files, total, itemOf, selected, onSelect }: FileTilesProps) {
  const t = useTexts(texts);
  const formats = useFormats();
  return (
    <>
      <PaneHead name={t.newest} note={t.ofTotal(formats.count(files.length), formats.count(total))} />
      <ul className={styles.tiles} aria-label={t.tiles}>
        {files.map((file) => (
          <li key={fileId(file)}>
            <ToggleButton className={styles.tile} isSelected={fileId(file) === selected} onChange={() => onSelect(file)}>
              <FilePreview file={file} />
              <span className={styles.tileName}>{file.fileName}</span>
              <span className={styles.tileNote}>
                <span className={styles.cut}>{itemOf(file).name}</span>
                <span>{formats.size(file.size)}</span>
              </span>
            </ToggleButton>
          </li>
        ))}
      </ul>
    </>
  );
}
