import { ALARM_KINDS } from '@sinebar/client';
import type { ReactNode } from 'react';
import { Choice, MultipleChoice } from '../../design/controls/choice';
import { useFormats, useTexts } from '../../design/language/language';
import { OptionsLine, Rare } from '../../design/layout/lines';
import { texts as alarmTexts } from '../../quality/alarms/texts';
import { useTopParts } from '../../quality/plan/use-plan-items';
import type { ViewChange } from '../../server/use-view';
import { SPANS, STATE_FILTERS, TOLD_FILTERS, type AlarmsAddress, type Span } from './search';
import { texts } from './texts';

interface AlarmFiltersProps {
  view: Partial<AlarmsAddress>;
  change: (changes: ViewChange<AlarmsAddress>) => void;
  actions: ReactNode;
  /** Says what was found. */
  children: ReactNode;
}

/** The line of filters above the inbox; the address holds what is chosen. */
export function AlarmFilters({ view, change, actions, children }: AlarmFiltersProps) {
  const t = useTexts(texts);
  const words = useTexts(alarmTexts);
  const formats = useFormats();
  const parts = useTopParts();
  const { state = 'open', kind, below, within, from, to, told = 'told' } = view;
  const isOtherTime = within === undefined && (from ?? to) !== undefined;
  const timeText =
    from === undefined
      ? t.until(formats.dayTime(to))
      : to === undefined
        ? t.since(formats.dayTime(from))
        : t.fromTo(formats.dayTime(from), formats.dayTime(to));
  const spans = Object.keys(SPANS) as Span[];
  return (
    <OptionsLine actions={actions}>
      {children}
      <Choice
        what={t.state}
        value={t[`state_${state}`]}
        options={STATE_FILTERS.map((id) => ({ id, name: t[`state_${id}`] }))}
        chosen={state}
        onChoose={(id) => change({ state: id === 'open' ? undefined : id })}
      />
      <Choice
        what={t.below}
        value={below ?? t.allParts}
        options={[
          { id: '', name: t.allParts },
          ...parts.map(({ path, name }) => ({ id: path, name })),
          ...(below === undefined || parts.some(({ path }) => path === below) ? [] : [{ id: below, name: below }]),
        ]}
        chosen={below ?? ''}
        onChoose={(path) => change({ below: path === '' ? undefined : path })}
      />
      <Rare>
        <MultipleChoice
          what={t.kind}
          value={kind === undefined ? t.allKinds : kind.map((each) => words[`kind_${each}`]).join(', ')}
          options={ALARM_KINDS.map((id) => ({ id, name: words[`kind_${id}`] }))}
          chosen={kind ?? []}
          onChoose={(kinds) => change({ kind: kinds.length === 0 ? undefined : kinds })}
        />
        <Choice<Span | 'any' | 'other'>
          what={t.time}
          value={within === undefined ? (isOtherTime ? timeText : t.anyTime) : t[within]}
          options={[
            { id: 'any', name: t.anyTime },
            ...spans.map((id) => ({ id, name: t[id] })),
            ...(isOtherTime ? [{ id: 'other' as const, name: timeText }] : []),
          ]}
          chosen={within ?? (isOtherTime ? 'other' : 'any')}
          onChoose={(id) => id !== 'other' && change({ within: id === 'any' ? undefined : id, from: undefined, to: undefined })}
        />
        <Choice
          what={t.told}
          value={t[`told_${told}`]}
          options={TOLD_FILTERS.map((id) => ({ id, name: t[`told_${id}`] }))}
          chosen={told}
          onChoose={(id) => change({ told: id === 'told' ? undefined : id })}
        />
      </Rare>
    </OptionsLine>
  );
}
