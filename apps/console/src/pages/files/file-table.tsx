import type { RawDataInformation } from '@sinebar/client';
import { useState } from 'react';
import { useFormats, useTexts } from '../../design/language/language';
import { TableFoot } from '../../design/layout/lines';
import { PaneHead } from '../../design/page/pane-head';
import type { TableColumn } from '../../design/table/table-column';
import { VirtualTable } from '../../design/table/virtual-table';
import { fileKind } from '../../quality/files/file-kind';
import { fileId } from '../../quality/files/file-targets';
import styles from './files.module.css';
import { KIND_TEXTS, texts } from './texts';
import type { FileItem } from './use-files';
import textStyles from '../../design/styles/text.module.css';

export interface FileTableProps {
  name: string;
  files: readonly RawDataInformation[];
  itemOf: (file: RawDataInformation) => FileItem;
  selected: string | undefined;
  onSelect: (file: RawDataInformation) => void;
}

/** Files as rows, newest first. */
export function FileTable({ name, files, itemOf, selected, onSelect }: FileTableProps) {
  const t = useTexts(texts);
  const formats = useFormats();
  const [view, setView] = useState({ first: 0, last: -1 });
  const columns: TableColumn<RawDataInformation>[] = [
    { id: 'name', head: t.name, isRowHeader: true, cell: ({ fileName }) => fileName },
    {
      id: 'kind',
      head: t.kind,
      width: 88,
      givesWay: 1,
      cell: (file) => <span className={textStyles.soft}>{t[KIND_TEXTS[fileKind(file)]]}</span>,
    },
    { id: 'place', head: t.fileOf, cell: (file) => itemOf(file).name },
    {
      id: 'added',
      head: t.added,
      width: 144,
      givesWay: 2,
      align: 'end',
      cell: ({ created }) => <span className={textStyles.soft}>{formats.dateTime(created)}</span>,
    },
    { id: 'size', head: t.size, width: 80, align: 'end', cell: ({ size }) => formats.size(size) },
  ];
  return (
    <div className={styles.table}>
      <PaneHead name={name} note={formats.count(files.length)} />
      <VirtualTable
        keptAs="files"
        label={name}
        columns={columns}
        rowHeight={30}
        rowCount={files.length}
        rowAt={(index) => files[index]}
        keyOf={(index) => {
          const file = files[index];
          return file === undefined ? String(index) : fileId(file);
        }}
        selected={files.findIndex((file) => fileId(file) === selected)}
        onSelect={(index) => {
          const file = files[index];
          if (file) onSelect(file);
        }}
        onView={(first, last) => setView((known) => (known.first === first && known.last === last ? known : { first, last }))}
      />
      <TableFoot>
        {t.rows(formats.count(view.first + 1), formats.count(Math.min(view.last + 1, files.length)), formats.count(files.length))}
      </TableFoot>
    </div>
  );
}
