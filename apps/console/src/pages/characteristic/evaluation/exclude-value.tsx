import type { ShownEntry, ShownSeries } from '@sinebar/charts';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { FormDialog } from '../../../quality/editing/form-dialog';
import { useFormats, useTexts } from '../../../design/language/language';
import { useMay } from '../../../server/session/use-session';
import { measuredPoint, type MeasuredPoint } from '../measured-point';
import type { CharacteristicSearch } from '../search';
import { useCharacteristicParams } from '../use-address';
import { exclusionsOf, writtenExclusions } from '../view';
import { texts } from './texts';
import { useChangeEvaluation } from './use-change-evaluation';
import styles from '../characteristic.module.css';
import textStyles from '../../../design/styles/text.module.css';

export interface ExcludeValueProps {
  /** Point that is left out; nothing is asked without one. */
  entry: ShownEntry | undefined;
  /** One value of a subgroup, in the place of a point. */
  value?: MeasuredPoint | undefined;
  shown: ShownSeries | undefined;
  search: CharacteristicSearch;
  /** Path of the part, as rights take it. */
  partPath: string;
  decimals: number;
  onClose: () => void;
}

/** Asks for the reason and for whom the value is left out: for everybody on the server, or for this view in its address. */
export function ExcludeValue({ entry, value, shown, ...props }: ExcludeValueProps) {
  const point = value ?? (entry && measuredPoint(entry, shown));
  return point && <ExcludeForm key={point.measurementUuid} point={point} {...props} />;
}

interface ExcludeFormProps extends Omit<ExcludeValueProps, 'entry' | 'value' | 'shown'> {
  point: MeasuredPoint;
}

function ExcludeForm({ point, search, partPath, decimals, onClose }: ExcludeFormProps) {
  const t = useTexts(texts);
  const formats = useFormats();
  const navigate = useNavigate();
  const { characteristicUuid } = useCharacteristicParams();
  const { exclude } = useChangeEvaluation();
  const mayKeep = useMay('plan:write', partPath);
  const [reason, setReason] = useState('');
  const [isForAll, setForAll] = useState(mayKeep);
  const isKept = isForAll && mayKeep;
  const { measurementUuid } = point;
  const keeping = useMutation({ mutationFn: () => exclude({ characteristicUuid }, measurementUuid, reason.trim()), onSuccess: onClose });
  const submit = () => {
    if (isKept) return keeping.mutate();
    onClose();
    const written = writtenExclusions([...exclusionsOf(search), { measurementUuid, reason: reason.trim() }]);
    void navigate({ to: '.', search: { ...search, ...(written !== undefined && { exclude: written }) }, resetScroll: false });
  };
  return (
    <FormDialog
      title={t.excludeTitle}
      action={t.exclude}
      canSubmit={!keeping.isPending && (!isKept || reason.trim() !== '')}
      error={keeping.error}
      onSubmit={submit}
      draft={{
        form: `left out ${measurementUuid} ${characteristicUuid}`,
        value: { reason, isForAll },
        onRestore: (kept) => {
          setReason(kept.reason);
          setForAll(kept.isForAll);
        },
      }}
      onClose={onClose}
    >
      <p>{t.excludeText(formats.number(point.value, decimals), formats.dayTime(point.time))}</p>
      <label className={styles.formField}>
        {t.reason}
        <input value={reason} autoFocus maxLength={4000} onChange={(event) => setReason(event.target.value)} />
      </label>
      <fieldset className={styles.scope}>
        <legend>{t.forWhom}</legend>
        <label>
          <input type="radio" name="scope" checked={isKept} disabled={!mayKeep} onChange={() => setForAll(true)} />
          {t.forEverybody}
        </label>
        <label>
          <input type="radio" name="scope" checked={!isKept} onChange={() => setForAll(false)} />
          {t.forThisView}
        </label>
      </fieldset>
      {!mayKeep && <p className={textStyles.explanation}>{t.missingRight(partPath)}</p>}
      {isKept && reason.trim() === '' && <p className={textStyles.explanation}>{t.needsReason}</p>}
    </FormDialog>
  );
}
