import type { Evaluation } from '@sinebar/client';
import { Button } from '../../../design/controls/button';
import { useFormats, useTexts } from '../../../design/language/language';
import { NumberInput } from './number-input';
import { texts } from './texts';
import { TimeInput } from '../options/time-input';
import styles from './evaluation.module.css';
import pageStyles from '../characteristic.module.css';

type Stage = NonNullable<Evaluation['stages']>[number];
type Limits = Stage['limits'];

export interface StageFieldsProps {
  stages: readonly Stage[];
  /** Beginning of a new stage. */
  from: string;
  onChange: (stages: readonly Stage[]) => void;
}

/** The stages of the series in the order of their beginnings, each with what its limits follow from. */
export function StageFields({ stages, from, onChange }: StageFieldsProps) {
  const t = useTexts(texts);
  const { count } = useFormats();
  const replace = (index: number, stage: Stage) => onChange(stages.map((known, i) => (i === index ? stage : known)));
  return (
    <div className={styles.stages}>
      {stages.map((stage, index) => {
        const number = count(index + 1);
        return (
          <fieldset key={index} className={styles.stage}>
            <legend>{t.stage(number)}</legend>
            <TimeInput
              label={t.begins}
              value={stage.from}
              onChange={(begin) => {
                const { from: _, ...others } = stage;
                replace(index, begin === undefined ? others : { ...others, from: begin });
              }}
            />
            <label className={pageStyles.formField}>
              {t.limits}
              <select
                value={stage.limits.kind}
                onChange={(event) => replace(index, { ...stage, limits: limitsOf(event.target.value, stage) })}
              >
                <option value="computed">{t.computed}</option>
                <option value="baseline">{t.baseline}</option>
                <option value="given">{t.given}</option>
              </select>
            </label>
            <LimitFields limits={stage.limits} onChange={(limits) => replace(index, { ...stage, limits })} />
            <label className={pageStyles.formField}>
              {t.stageReason}
              <input
                value={stage.reason ?? ''}
                maxLength={4000}
                onChange={(event) => {
                  const { reason: _, ...others } = stage;
                  replace(index, event.target.value === '' ? others : { ...others, reason: event.target.value });
                }}
              />
            </label>
            <Button kind="quiet" aria-label={t.removeStage(number)} onPress={() => onChange(stages.filter((_, i) => i !== index))}>
              {t.remove}
            </Button>
          </fieldset>
        );
      })}
      <Button
        onPress={() =>
          onChange([
            ...(stages.length === 0 ? [{ limits: { kind: 'computed' as const } }] : stages),
            { ...(from !== '' && { from }), limits: { kind: 'computed' } },
          ])
        }
      >
        {t.addStage}
      </Button>
    </div>
  );
}

/** Limits of another kind, at first without figures. */
function limitsOf(kind: string, { from = '' }: Stage): Limits {
  if (kind === 'baseline') return { kind, from, to: '' };
  return kind === 'given' ? ({ kind, centerLine: '' } as unknown as Limits) : { kind: 'computed' };
}

const FIGURES = ['centerLine', 'sigma', 'lower', 'upper'] as const;

function LimitFields({ limits, onChange }: { limits: Limits; onChange: (limits: Limits) => void }) {
  const t = useTexts(texts);
  if (limits.kind === 'computed') return null;
  if (limits.kind === 'baseline') {
    return (
      <>
        <TimeInput label={t.baselineFrom} value={limits.from} onChange={(time = '') => onChange({ ...limits, from: time })} />
        <TimeInput label={t.baselineTo} value={limits.to} onChange={(time = '') => onChange({ ...limits, to: time })} />
      </>
    );
  }
  return FIGURES.map((figure) => (
    <NumberInput
      key={figure}
      label={t[figure]}
      value={limits[figure]}
      onChange={(typed) => {
        const { [figure]: _, ...others } = limits;
        onChange((typed === undefined ? others : { ...others, [figure]: typed }) as Limits);
      }}
    />
  ));
}
