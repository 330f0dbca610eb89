import { useMemo, useState } from 'react';
import checkStyles from '../../../design/controls/check.module.css';
import fieldStyles from '../../../design/controls/field.module.css';
import { FormDialog } from '../../../quality/editing/form-dialog';
import { useFormats, useTexts } from '../../../design/language/language';
import type { Configuration } from '../../../quality/attributes/configuration';
import type { Fields } from '../../../quality/editing/draft';
import { guessMeanings, MEANINGS, readCells, type Meaning } from './pasted-cells';
import { comparePasted, keysOf, type PastedRow } from './pasted-rows';
import { PastePreview } from './paste-preview';
import styles from './table.module.css';
import { texts } from './texts';

/** Most rows at a time. */
const MAX_ROWS = 5000;

/** Name of what is pasted into a part, as a draft. */
export const pasteForm = (partUuid: string) => `paste into ${partUuid}`;

export interface PasteDialogProps {
  partUuid: string;
  /** What was pasted already; empty when the reader pastes into the dialog. */
  text: string;
  /** Characteristics that are there, by uuid. */
  stored: ReadonlyMap<string, Fields>;
  configuration: Configuration;
  onTake: (rows: readonly PastedRow[]) => void;
  onClose: () => void;
}

/** Shows what rows of a spreadsheet would create and change, before they are taken over. */
export function PasteDialog({ partUuid, text: given, stored, configuration, onTake, onClose }: PasteDialogProps) {
  const t = useTexts(texts);
  const { count } = useFormats();
  const [text, setText] = useState(given);
  const cells = useMemo(() => readCells(text), [text]);
  const guess = useMemo(() => guessMeanings(cells), [cells]);
  // What the reader has chosen for this text; another text is guessed anew.
  const [choice, setChoice] = useState<{ of: string; meanings: readonly Meaning[]; hasHead: boolean }>();
  const { meanings: wanted, hasHead } = choice?.of === text ? choice : guess;
  const meanings = useMemo(
    () => wanted.map((meaning) => (keysOf(meaning).every((key) => configuration.byKey.has(key)) ? meaning : 'none')),
    [wanted, configuration],
  );
  const tooMany = cells.length > MAX_ROWS;
  const rows = useMemo(
    () => (tooMany ? [] : comparePasted(cells, { meanings, hasHead }, stored)),
    [cells, meanings, hasHead, stored, tooMany],
  );
  const twice = meanings.find((meaning, column) => meaning !== 'none' && meanings.indexOf(meaning) !== column);
  const problem = (() => {
    if (cells.length === 0) return undefined;
    if (tooMany) return t.tooMany(count(MAX_ROWS), count(cells.length));
    if (!meanings.includes('name')) return t.noNameColumn;
    return twice === undefined ? undefined : t.sameMeaning(t[`meaning_${twice}`]);
  })();
  const taken = problem === undefined ? rows.filter((row) => row.problem === undefined && row.changes.length > 0) : [];
  const choose = (column: number, meaning: Meaning) => setChoice({ of: text, meanings: meanings.with(column, meaning), hasHead });
  return (
    <FormDialog
      title={t.pasteTitle}
      isWide
      action={taken.length === 0 ? t.takeOver : t.takeRows(count(taken.length))}
      canSubmit={taken.length > 0}
      error={null}
      onSubmit={() => onTake(taken)}
      draft={{
        form: pasteForm(partUuid),
        value: { text, choice },
        onRestore: (kept) => {
          setText(kept.text);
          setChoice(kept.choice);
        },
      }}
      onClose={onClose}
    >
      <p>{t.pasteLead}</p>
      <textarea
        aria-label={t.pasteField}
        className={styles.area}
        rows={cells.length === 0 ? 6 : 2}
        value={text}
        onChange={(event) => setText(event.target.value)}
        autoFocus
        spellCheck={false}
      />
      {cells.length > 0 && (
        <>
          <div className={styles.meanings}>
            {meanings.map((meaning, column) => (
              <label key={column} className={fieldStyles.labelled}>
                {t.column(count(column + 1), cells[0]?.[column] ?? '')}
                <select value={meaning} onChange={(event) => choose(column, event.target.value as Meaning)}>
                  {MEANINGS.filter((each) => keysOf(each).every((key) => configuration.byKey.has(key))).map((each) => (
                    <option key={each} value={each}>
                      {t[`meaning_${each}`]}
                    </option>
                  ))}
                </select>
              </label>
            ))}
          </div>
          <label className={checkStyles.label}>
            <input
              type="checkbox"
              className={checkStyles.check}
              checked={hasHead}
              onChange={(event) => setChoice({ of: text, meanings, hasHead: event.target.checked })}
            />
            {t.hasHead}
          </label>
        </>
      )}
      {problem !== undefined && <p role="alert">{problem}</p>}
      {problem === undefined && rows.length > 0 && <PastePreview rows={rows} configuration={configuration} />}
    </FormDialog>
  );
}
