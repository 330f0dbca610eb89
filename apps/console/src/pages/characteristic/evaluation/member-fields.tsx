import { EVALUATION_MODELS, type Evaluation } from '@sinebar/client';
import { useTexts } from '../../../design/language/language';
import { useConfiguration } from '../../../quality/attributes/configuration';
import { fitsSubgroups } from '../evaluated';
import { RulesForm } from '../options/rules-form';
import { texts as optionTexts } from '../options/texts';
import { CHARTS } from '../search';
import { texts as pageTexts } from '../texts';
import { SilenceFields, TextMember } from './alarm-fields';
import type { Member } from './evaluation-fields';
import { NumberInput } from './number-input';
import { StageFields } from './stage-fields';
import { texts } from './texts';
import styles from '../characteristic.module.css';

const MAX_SUBGROUP = 500;
/** Key of the time of a measurement, by which nothing is grouped. */
const TIME = 4;
const COUNT_CHARTS = ['p', 'np', 'c', 'u', 'laneyP'] as const;

type Values = { [M in Member]: NonNullable<Evaluation[M]> };

export interface MemberFieldsProps<M extends Member> {
  member: M;
  value: Values[M];
  /** Subgroups that a chart has to fit. */
  subgroups: Values['subgroups'];
  isOfCounts: boolean;
  /** Beginning of a new stage. */
  stageFrom: string;
  onChange: (value: unknown) => void;
}

/** The fields of one member. */
export function MemberFields<M extends Member>({ member, value, onChange, ...given }: MemberFieldsProps<M>) {
  const t = useTexts(texts);
  const words = useTexts(pageTexts);
  const name = t[`name_${member}`];
  const of = { member, value } as { [N in Member]: { member: N; value: Values[N] } }[Member];
  switch (of.member) {
    case 'subgroups':
      return <SubgroupFields value={of.value} onChange={onChange} />;
    case 'chart': {
      const charts = given.isOfCounts ? COUNT_CHARTS : CHARTS.filter((chart) => fitsSubgroups(chart, given.subgroups));
      const shown = [...new Set([...charts, of.value])];
      return (
        <select aria-label={name} value={of.value} onChange={(event) => onChange(event.target.value)}>
          {shown.map((chart) => (
            <option key={chart} value={chart}>
              {words[`chart_${chart}`]}
            </option>
          ))}
        </select>
      );
    }
    case 'rules':
      return <RulesForm chosen={of.value} onChoose={onChange} />;
    case 'model':
      return (
        <select aria-label={name} value={of.value} onChange={(event) => onChange(event.target.value)}>
          {EVALUATION_MODELS.map((model) => (
            <option key={model} value={model}>
              {words[`model_${model}`]}
            </option>
          ))}
        </select>
      );
    case 'required':
    case 'target':
      return <NumberInput label={name} value={of.value} onChange={(number) => onChange(number ?? '')} />;
    case 'ewma':
    case 'cusum':
      return Object.entries(of.value).map(([parameter, number]) => (
        <NumberInput
          key={parameter}
          label={t[`parameter_${parameter as 'k'}`]}
          value={number}
          onChange={(typed) => onChange({ ...of.value, [parameter]: typed ?? '' })}
        />
      ));
    case 'owner':
    case 'reaction':
      return <TextMember member={of.member} value={of.value} onChange={onChange} />;
    case 'silence':
      return <SilenceFields value={of.value} onChange={onChange} />;
    case 'autoClose':
      return <NumberInput label={t.pointsInLimits} value={of.value} onChange={(number) => onChange(number ?? '')} />;
    case 'stages':
      return <StageFields stages={of.value} from={given.stageFrom} onChange={onChange} />;
  }
}

function SubgroupFields({ value, onChange }: { value: Values['subgroups']; onChange: (value: Values['subgroups']) => void }) {
  const t = useTexts(texts);
  const words = useTexts(optionTexts);
  const { configuration } = useConfiguration();
  const { by, size = 1, of } = value;
  const kept = of === undefined ? {} : { of };
  const chosen = by !== undefined ? String(by) : size === 1 ? 'single' : 'size';
  const choose = (id: string) => {
    if (id === 'single') onChange({ ...kept, size: 1 });
    else if (id === 'size') onChange({ ...kept, size: 5 });
    else onChange({ ...kept, by: Number(id) });
  };
  return (
    <>
      <select aria-label={t.name_subgroups} value={chosen} onChange={(event) => choose(event.target.value)}>
        <option value="single">{words.singleValues}</option>
        <option value="size">{words.consecutive}</option>
        {configuration
          .of('measurement')
          .filter(({ key }) => key !== TIME)
          .map(({ key, description }) => (
            <option key={key} value={String(key)}>
              {words.sameValueOf(description)}
            </option>
          ))}
      </select>
      {chosen === 'size' && (
        <label className={styles.formField}>
          {words.subgroupSize}
          <input
            type="number"
            min={2}
            max={MAX_SUBGROUP}
            value={size}
            onChange={(event) =>
              onChange({ ...kept, size: Math.min(MAX_SUBGROUP, Math.max(2, Math.round(Number(event.target.value)) || 2)) })
            }
          />
        </label>
      )}
    </>
  );
}
