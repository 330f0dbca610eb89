import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import checkStyles from '../../design/controls/check.module.css';
import { FormDialog } from '../editing/form-dialog';
import { SelectField } from '../../design/controls/select-field';
import { defineTexts, useTexts } from '../../design/language/language';
import { USUAL_FORM, VALUE_FORMATS, type ValuesForm } from './values-file';

const texts = defineTexts({
  en: {
    title: 'Export measured values',
    export: 'Export',
    format: 'Format',
    layout: 'Rows',
    long: 'one for each value',
    wide: 'one for each measurement, one column for each characteristic',
    keys: 'Keys of the attributes in a second row',
  },
  de: {
    title: 'Messwerte exportieren',
    export: 'Exportieren',
    format: 'Format',
    layout: 'Zeilen',
    long: 'eine für jeden Wert',
    wide: 'eine für jede Messung, eine Spalte für jedes Merkmal',
    keys: 'Schlüssel der Attribute in einer zweiten Zeile',
  },
});

const FORMATS = Object.keys(VALUE_FORMATS) as (keyof typeof VALUE_FORMATS)[];
const LAYOUTS = ['long', 'wide'] as const;

/** Asks for the form of a file with measured values. */
export function ExportValues({ onExport, onClose }: { onExport: (form: ValuesForm) => Promise<void>; onClose: () => void }) {
  const t = useTexts(texts);
  const [form, setForm] = useState(USUAL_FORM);
  const change = (changed: Partial<ValuesForm>) => setForm((known) => ({ ...known, ...changed }));
  const exporting = useMutation({ mutationFn: onExport, onSuccess: onClose });
  const isTable = form.format !== 'aqdef';
  return (
    <FormDialog
      title={t.title}
      action={t.export}
      canSubmit={!exporting.isPending}
      error={exporting.error}
      onSubmit={() => exporting.mutate(form)}
      onClose={onClose}
      draft={undefined}
    >
      <SelectField
        label={t.format}
        value={form.format}
        onChoose={(format) => change({ format })}
        options={FORMATS.map((format) => [format, VALUE_FORMATS[format].name] as const)}
      />
      {isTable && (
        <SelectField
          label={t.layout}
          value={form.layout}
          onChoose={(layout) => change({ layout })}
          options={LAYOUTS.map((layout) => [layout, t[layout]] as const)}
        />
      )}
      {isTable && form.format !== 'parquet' && (
        <label className={checkStyles.label}>
          <input
            type="checkbox"
            className={checkStyles.check}
            checked={form.hasKeys}
            onChange={(event) => change({ hasKeys: event.target.checked })}
          />
          {t.keys}
        </label>
      )}
    </FormDialog>
  );
}
