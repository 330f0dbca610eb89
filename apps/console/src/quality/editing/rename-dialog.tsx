import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { FormDialog } from './form-dialog';
import { TextField } from '../../design/controls/text-field';
import { defineTexts, useTexts } from '../../design/language/language';

const texts = defineTexts({
  en: { save: 'Save' },
  de: { save: 'Speichern' },
});

export interface RenameDialogProps {
  title: string;
  /** Fields with their present texts. */
  fields: readonly { id: string; label: string; text: string }[];
  /** Says what is wrong with the texts, by id. */
  problemOf?: (texts: Readonly<Record<string, string>>) => string | undefined;
  /** @returns when the server has it; a rejection shows in the dialog */
  onSave: (texts: Readonly<Record<string, string>>) => Promise<void>;
  onClose: () => void;
}

/** Asks for other texts of something that has a name. */
export function RenameDialog({ title, fields, problemOf, onSave, onClose }: RenameDialogProps) {
  const t = useTexts(texts);
  const [written, setWritten] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(fields.map(({ id, text }) => [id, text])),
  );
  const saving = useMutation({ mutationFn: () => onSave(written), onSuccess: onClose });
  const problem = problemOf?.(written);
  const isChanged = fields.some(({ id, text }) => written[id] !== text);
  return (
    <FormDialog
      title={title}
      action={t.save}
      canSubmit={isChanged && problem === undefined && !saving.isPending}
      error={saving.error}
      onSubmit={() => saving.mutate()}
      draft={{ form: `rename ${title}`, value: written, onRestore: setWritten }}
      onClose={onClose}
    >
      {fields.map(({ id, label }, index) => (
        <TextField
          key={id}
          label={label}
          value={written[id] ?? ''}
          onChange={(text) => setWritten((known) => ({ ...known, [id]: text }))}
          error={index === 0 ? problem : undefined}
          autoFocus={index === 0}
          validationBehavior="aria"
        />
      ))}
    </FormDialog>
  );
}
