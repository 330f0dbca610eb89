import { useMemo, useState } from 'react';
import { conflictsOf, draftedFields, keptField, withText, withTexts, withoutField, type Conflict, type Draft, type Fields } from './draft';

/** Changes of one item that are not saved. */
export interface DraftState {
  draft: Draft;
  /** Texts of the server with the changes. */
  fields: Fields;
  conflicts: readonly Conflict[];
  change: (field: string, text: string) => void;
  /** Changes several fields at once. */
  changeAll: (texts: readonly (readonly [field: string, text: string])[]) => void;
  /** Keeps the own text of a conflict. */
  keep: (field: string) => void;
  /** Takes the text of the server. */
  take: (field: string) => void;
  replace: (draft: Draft) => void;
}

/** Holds the changes of the reader against what the server has, also when that changes meanwhile. */
export function useDraft(stored: Fields): DraftState {
  const [draft, setDraft] = useState<Draft>({});
  return useMemo(
    () => ({
      draft,
      fields: draftedFields(draft, stored),
      conflicts: conflictsOf(draft, stored),
      change: (field, text) => setDraft((known) => withText(known, field, text, stored)),
      changeAll: (texts) => setDraft((known) => withTexts(known, texts, stored)),
      keep: (field) => setDraft((known) => keptField(known, field, stored)),
      take: (field) => setDraft((known) => withoutField(known, field)),
      replace: setDraft,
    }),
    [draft, stored],
  );
}
