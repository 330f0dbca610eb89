import type { ValuesFile } from '@sinebar/client';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { printPage } from '../../design/page/printing';
import { Menu, type MenuEntry } from '../../design/controls/menu';
import { csvOf, type CsvTable } from '../../design/export/csv';
import { fileNameOf, saveFile } from '../../design/export/save-file';
import { defineTexts, useLanguage, useTexts } from '../../design/language/language';
import { Failed } from '../../design/states/pane-state';
import { useServer } from '../../server/server';
import { CopyButton } from './copy-button';
import { ExportValues } from './export-values';
import type { Reported } from './report-dialog';
import { USUAL_FORM, valuesBlob, VALUE_FORMATS, type ValuesForm } from './values-file';

const texts = defineTexts({
  en: {
    export: 'Export',
    saving: 'Exporting…',
    table: 'Table as CSV',
    picture: 'Picture as PNG',
    print: 'Print',
    as: (format: string) => `Measured values as ${format}`,
    more: 'Measured values in another form…',
    report: 'Report…',
  },
  de: {
    export: 'Exportieren',
    saving: 'Wird exportiert…',
    table: 'Tabelle als CSV',
    picture: 'Bild als PNG',
    print: 'Drucken',
    as: (format: string) => `Messwerte als ${format}`,
    more: 'Messwerte in anderer Form…',
    report: 'Bericht…',
  },
});

/** The dialog comes when it is opened. */
const ReportDialog = lazy(async () => ({ default: (await import('./report-dialog')).ReportDialog }));

/** Formats that the menu offers without a further question. */
const SHORT_FORMATS = ['xlsx', 'csv', 'aqdef'] as const;

export interface ExportMenuProps {
  /** Words that name the files. */
  title: readonly string[];
  /** The table that the page shows, in the form that programs read; nothing while it is not there. */
  table?: () => CsvTable | undefined | Promise<CsvTable>;
  /** The drawings of the page as a picture. */
  picture?: () => Promise<Blob | undefined>;
  canPrint?: boolean;
  /** Measured values that the server writes as a file. */
  values?: Omit<ValuesFile, 'format' | 'signal'> | undefined;
  /** Subject of reports of the server. */
  reported?: Reported | undefined;
}

/** Everything that can be saved of a page, in one menu. */
export function ExportMenu({ title, table, picture, canPrint = false, values, reported }: ExportMenuProps) {
  const t = useTexts(texts);
  const language = useLanguage();
  const server = useServer();
  const [isAsking, setAsking] = useState(false);
  const [isReporting, setReporting] = useState(false);
  const saving = useMutation({ mutationFn: (save: () => Promise<void>) => save() });
  const saveTable = async () => {
    const saved = await table?.();
    if (saved) saveFile(fileNameOf(title, 'csv'), csvOf(saved, language));
  };
  const savePicture = async () => {
    const made = await picture?.();
    if (made) saveFile(fileNameOf(title, 'png'), made);
  };
  const saveValues = async (form: ValuesForm) => {
    if (values === undefined) return;
    const { ending } = VALUE_FORMATS[form.format];
    saveFile(fileNameOf(title, ending), await valuesBlob(server, values, form, language));
  };
  const entries: MenuEntry[] = [
    ...(table ? [{ key: 'table', name: t.table, onAction: () => saving.mutate(saveTable) }] : []),
    ...(picture ? [{ key: 'picture', name: t.picture, onAction: () => saving.mutate(savePicture) }] : []),
    ...(canPrint ? [{ key: 'print', name: t.print, onAction: () => void printPage() }] : []),
    ...(reported ? [{ key: 'report', name: t.report, onAction: () => setReporting(true) }] : []),
    ...(values
      ? [
          ...SHORT_FORMATS.map((format, i) => ({
            key: format,
            name: t.as(VALUE_FORMATS[format].name),
            onAction: () => saving.mutate(() => saveValues({ ...USUAL_FORM, format })),
            beginsGroup: i === 0,
          })),
          { key: 'more', name: t.more, onAction: () => setAsking(true) },
        ]
      : []),
  ];
  return (
    <>
      {saving.error !== null && <Failed error={saving.error} />}
      {table && <CopyButton table={table} />}
      <Menu button={{ children: saving.isPending ? t.saving : t.export, isDisabled: saving.isPending }} entries={entries} />
      {isReporting && reported && (
        <Suspense>
          <ReportDialog title={title} reported={reported} onClose={() => setReporting(false)} />
        </Suspense>
      )}
      {isAsking && <ExportValues onExport={saveValues} onClose={() => setAsking(false)} />}
    </>
  );
}
