import type { ValuesFile } from '@sinebar/client';
import { useMutation } from '@tanstack/react-query';
import { Menu } from '../../design/controls/menu';
import { fileNameOf, saveFile } from '../../design/export/save-file';
import { defineTexts, useTexts } from '../../design/language/language';
import { Failed } from '../../design/states/pane-state';
import { useServer } from '../../server/server';

const texts = defineTexts({
  en: { values: 'Values…', saving: 'Saving…', as: (format: string) => `Measured values as ${format}` },
  de: { values: 'Werte…', saving: 'Wird gespeichert…', as: (format: string) => `Messwerte als ${format}` },
});

/** Kinds of files that the server writes values to. */
const FORMATS: readonly { id: ValuesFile['format']; name: string; ending: string }[] = [
  { id: 'csv', name: 'CSV', ending: 'csv' },
  { id: 'xlsx', name: 'Excel', ending: 'xlsx' },
  { id: 'parquet', name: 'Parquet', ending: 'parquet' },
  { id: 'aqdef', name: 'AQDEF', ending: 'dfq' },
];

export interface SaveValuesProps {
  /** Words that name the file. */
  title: readonly string[];
  selection: Omit<ValuesFile, 'format' | 'signal'>;
}

/** Saves the measured values of a view as a file that the server writes. */
export function SaveValues({ title, selection }: SaveValuesProps) {
  const t = useTexts(texts);
  const server = useServer();
  const saving = useMutation({
    mutationFn: async ({ id, ending }: (typeof FORMATS)[number]) => {
      const stream = await server.exchange.readValues({ ...selection, format: id });
      saveFile(fileNameOf(title, ending), await new Response(stream).blob());
    },
  });
  return (
    <>
      {saving.error !== null && <Failed error={saving.error} />}
      <Menu
        button={{ children: saving.isPending ? t.saving : t.values, isDisabled: saving.isPending }}
        entries={FORMATS.map((format) => ({ key: format.id, name: t.as(format.name), onAction: () => saving.mutate(format) }))}
      />
    </>
  );
}
