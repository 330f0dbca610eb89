import { memo, useCallback, useId, useSyncExternalStore } from 'react';
import fieldStyles from '../../design/controls/field.module.css';
import { Hidden } from '../../design/controls/text-field';
import { useFormats, useTexts } from '../../design/language/language';
import { Glyph } from '../../design/status/glyph';
import textStyles from '../../design/styles/text.module.css';
import { toleranceText } from '../../quality/values/tolerance-text';
import { sizeField, type EnteredTexts } from './entered-texts';
import styles from './entry.module.css';
import { judge, type MeasuredCharacteristic } from './measured-characteristic';
import { texts } from './texts';

export interface ValueRowProps {
  characteristic: MeasuredCharacteristic;
  entered: EnteredTexts;
  /** Whether samples can have a size: the server has an attribute for it. */
  hasSizes: boolean;
}

/** One characteristic: its limits, the field for its value, and what the value is worth. */
export const ValueRow = memo(function ValueRow({ characteristic, entered, hasSizes }: ValueRowProps) {
  const t = useTexts(texts);
  const formats = useFormats();
  const id = useId();
  const { uuid, name, group, limits, decimals, limitDecimals, unit, counted } = characteristic;
  const text = useEntered(entered, uuid);
  const size = useEntered(entered, sizeField(uuid));
  const { problem, status, glyph, deviation } = judge(characteristic, text, size);
  const tolerance = toleranceText(limits, limitDecimals, formats);
  const nominal = limits.nominal === undefined ? '' : formats.number(limits.nominal, limitDecimals);
  const isOfSize = problem === 'noSize';
  return (
    <li className={styles.row} data-status={problem === undefined ? status : 'problem'}>
      <label htmlFor={`${id}value`} className={styles.name}>
        {group !== '' && <span className={textStyles.soft}>{group} / </span>}
        {name}
      </label>
      <span id={`${id}limits`} className={styles.limits}>
        {tolerance === '' && nominal === '' ? t.noLimits : `${nominal} ${tolerance}`}
      </span>
      <span className={styles.fields}>
        <input
          id={`${id}value`}
          className={fieldStyles.field}
          inputMode={counted === undefined ? 'decimal' : 'numeric'}
          autoComplete="off"
          value={text}
          onChange={(event) => entered.set(uuid, event.target.value)}
          aria-invalid={problem !== undefined && !isOfSize}
          aria-describedby={`${id}limits ${id}says`}
          data-value
        />
        {counted !== undefined && hasSizes && (
          <>
            <span className={textStyles.note}>{counted === 'parts' ? t.of : t.errorsIn}</span>
            <input
              className={fieldStyles.field}
              inputMode="numeric"
              autoComplete="off"
              aria-label={t.sizeOf(name)}
              value={size}
              onChange={(event) => entered.set(sizeField(uuid), event.target.value)}
              aria-invalid={isOfSize}
            />
          </>
        )}
        <span className={textStyles.note}>{counted === undefined ? unit : hasSizes || counted === 'parts' ? t.parts : t.errors}</span>
      </span>
      <span id={`${id}says`} className={styles.says}>
        {problem !== undefined && t[problem](isOfSize ? size : text)}
        {glyph !== undefined && <Glyph name={glyph} />}
        {deviation !== undefined && counted === undefined && (
          <span>
            <Hidden>{t.deviation} </Hidden>
            {formats.signed(deviation, decimals)}
          </span>
        )}
      </span>
    </li>
  );
});

function useEntered(entered: EnteredTexts, field: string): string {
  const subscribe = useCallback((listener: () => void) => entered.subscribeField(field, listener), [entered, field]);
  return useSyncExternalStore(subscribe, () => entered.get(field));
}
