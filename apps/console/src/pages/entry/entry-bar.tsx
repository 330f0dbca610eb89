import { useMemo, useSyncExternalStore } from 'react';
import { Button } from '../../design/controls/button';
import { QuietButton } from '../../design/controls/buttons';
import { useFormats, useTexts } from '../../design/language/language';
import { Glyph } from '../../design/status/glyph';
import { summarize, type WrongValue } from './entered-summary';
import type { EnteredTexts } from './entered-texts';
import styles from './entry.module.css';
import type { MeasuredCharacteristic } from './measured-characteristic';
import { texts } from './texts';

export interface EntryBarProps {
  characteristics: readonly MeasuredCharacteristic[];
  entered: EnteredTexts;
  /** What is wrong with an attribute of the measurement. */
  problem: string | undefined;
  isSaving: boolean;
  /** Whether anything could be cleared. */
  canClear: boolean;
  onClear: () => void;
  onGoTo: (wrong: WrongValue) => void;
  /** Moves what was scanned into the wrong field; absent without an attribute for serial numbers. */
  onUseAsSerial?: ((wrong: WrongValue) => void) | undefined;
}

/** Stands at the bottom edge: how far the measurement is, what is wrong with it, and the button that saves it. */
export function EntryBar({ characteristics, entered, problem, isSaving, canClear, onClear, onGoTo, onUseAsSerial }: EntryBarProps) {
  const t = useTexts(texts);
  const formats = useFormats();
  const all = useSyncExternalStore(entered.subscribe, entered.all);
  const { filled, outOfTolerance, wrong } = useMemo(() => summarize(characteristics, all), [characteristics, all]);
  const count = characteristics.length;
  const [first] = wrong;
  return (
    <section aria-label={t.bar} className={styles.bar}>
      <div role="status" className={styles.sentences}>
        <p>
          {t.summary(formats.count(filled), formats.count(count), count)}
          {outOfTolerance > 0 && (
            <strong className={styles.out}>
              <Glyph name="outOfTolerance" label="" /> {t.out(formats.count(outOfTolerance))}
            </strong>
          )}
        </p>
        {problem !== undefined && <p className={styles.out}>{problem}</p>}
        {first !== undefined && (
          <p className={styles.out}>
            {first.name}: {t[first.problem](first.text)}
          </p>
        )}
      </div>
      {first !== undefined && (
        <>
          <QuietButton onPress={() => onGoTo(first)}>{t.goThere}</QuietButton>
          {onUseAsSerial !== undefined && first.problem === 'noNumber' && (
            <QuietButton onPress={() => onUseAsSerial(first)}>{t.useAsSerial}</QuietButton>
          )}
        </>
      )}
      <QuietButton onPress={onClear} isDisabled={!canClear || isSaving}>
        {t.clear}
      </QuietButton>
      <Button kind="primary" type="submit" isDisabled={isSaving || wrong.length > 0 || problem !== undefined || filled === 0}>
        {isSaving ? t.saving : t.save}
      </Button>
    </section>
  );
}
