import type { Evaluation } from '@sinebar/client';
import { useTexts } from '../../../design/language/language';
import type { Fields } from '../../../quality/editing/draft';
import { fitsSubgroups } from '../evaluated';
import { CHARTS } from '../search';
import { memberOf, MEMBERS, type Member } from './evaluation-fields';
import { MemberFields } from './member-fields';
import { MemberRow } from './member-row';
import { texts } from './texts';

type Values = { [M in Member]: NonNullable<Evaluation[M]> };

/** What a member begins with where no level says anything. */
const DEFAULTS: Values = {
  subgroups: { size: 1 },
  chart: 'individuals',
  rules: ['nelson1'],
  model: 'auto',
  required: 1.33,
  ewma: { lambda: 0.2, width: 3 },
  cusum: { k: 0.5, h: 4 },
  target: 0,
  stages: [{ limits: { kind: 'computed' } }],
  owner: '',
  reaction: '',
  silence: 'PT4H',
  autoClose: 7,
};

/** Values of members that no level says anything about. */
const UNSET_TEXTS = { owner: 'noOwner', reaction: 'noReaction', silence: 'noSilence', autoClose: 'usualAutoClose' } as const;

export interface MemberRowsProps {
  evaluation: Evaluation;
  /** Evaluation of the level above, once it is known. */
  above: Evaluation | undefined;
  stored: Fields;
  /** The stored fields with the changes of the reader. */
  fields: Fields;
  isReadOnly: boolean;
  partName: string;
  partUuid: string;
  isOfCounts: boolean;
  stageFrom: string;
  textOf: (field: string, text: string) => string;
  onChange: (field: string, text: string) => void;
}

/** The members of an evaluation, each its own or that of the level above. */
export function MemberRows({
  evaluation,
  above,
  stored,
  fields,
  isReadOnly,
  partName,
  partUuid,
  onChange,
  textOf,
  ...given
}: MemberRowsProps) {
  const t = useTexts(texts);
  // What is stored here hides what the level above says.
  const inherited = <M extends Member>(member: M): Evaluation[M] => (stored[member] === undefined ? evaluation[member] : above?.[member]);
  const valueOf = <M extends Member>(member: M) => (memberOf(fields, member) ?? inherited(member) ?? DEFAULTS[member]) as Values[M];
  const subgroups = valueOf('subgroups');
  const chart = valueOf('chart');
  const sourceOf = (member: Member) => {
    const source = stored[member] === undefined ? evaluation.sources[member] : above?.sources[member];
    if (source === undefined || source.kind === 'server') return t.asServer;
    if (source.kind === 'attribute') return t.asAttribute(String(source.key ?? ''));
    if (source.kind === 'characteristic') return t.asCharacteristic;
    return source.uuid === partUuid ? t.asPart(partName) : t.asAbove;
  };
  const unsetText = (member: Member) => (member in UNSET_TEXTS ? t[UNSET_TEXTS[member as keyof typeof UNSET_TEXTS]] : '');
  const isShown = (member: Member) => {
    if (stored[member] !== undefined || (fields[member] ?? '') !== '') return true;
    if (member === 'subgroups' || member === 'model' || member === 'required') return !given.isOfCounts;
    if (member === 'ewma' || member === 'cusum') return chart === member;
    return member !== 'target' || chart === 'ewma' || chart === 'cusum';
  };
  const set = (member: Member, value: unknown) => {
    onChange(member, JSON.stringify(value));
    // Chart and subgroups of one level have to fit each other.
    if (member !== 'subgroups' || memberOf(fields, 'chart') === undefined) return;
    const groups = value as Values['subgroups'];
    if (!fitsSubgroups(chart, groups)) onChange('chart', JSON.stringify(CHARTS.find((each) => fitsSubgroups(each, groups)) ?? 'xbarS'));
  };
  return (
    <div>
      {MEMBERS.filter(isShown).map((member) => {
        const value = inherited(member);
        return (
          <MemberRow
            key={member}
            name={t[`name_${member}`]}
            isOwn={(fields[member] ?? '') !== ''}
            onOwn={(isOwn) => (isOwn ? set(member, valueOf(member)) : onChange(member, ''))}
            isReadOnly={isReadOnly}
            source={sourceOf(member)}
            inherited={value === undefined ? unsetText(member) : textOf(member, JSON.stringify(value))}
          >
            <MemberFields member={member} value={valueOf(member)} subgroups={subgroups} {...given} onChange={(next) => set(member, next)} />
          </MemberRow>
        );
      })}
    </div>
  );
}
