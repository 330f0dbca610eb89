import type { CharacteristicSummary } from '@sinebar/client';
import { useNavigate } from '@tanstack/react-router';
import { useConfiguration } from '../../../quality/attributes/configuration';
import { conditionOn } from '../../../quality/conditions/condition-on';
import { GroupLegend } from '../../../quality/groups/group-legend';
import { GroupSection } from '../../../quality/groups/group-section';
import { useCharacteristicSearch } from '../use-address';
import type { CharacteristicData } from '../use-characteristic';
import type { CharacteristicView } from '../use-view';

/** Names the colours of the chart below, where the values are split. */
export function Legend({ data }: { data: CharacteristicData }) {
  const { split } = useCharacteristicSearch();
  return split === undefined || data.divided === undefined ? null : <GroupLegend by={split} divided={data.divided} />;
}

interface GroupsPaneProps {
  summary: CharacteristicSummary;
  data: CharacteristicData;
  shown: CharacteristicView['shown'];
}

/** The groups of the values, where these are split. */
export function GroupsPane({ summary, data, shown }: GroupsPaneProps) {
  const navigate = useNavigate();
  const search = useCharacteristicSearch();
  const { configuration } = useConfiguration();
  const { split, viewFrom: _from, viewTo: _to, ...others } = search;
  if (split === undefined) return null;
  const only = (value: string) => {
    const condition = conditionOn(search.condition, split, value, configuration);
    void navigate({ to: '.', search: { ...others, split, ...(condition !== undefined && { condition }) }, resetScroll: false });
  };
  return (
    <GroupSection
      by={split}
      query={data.groups}
      unit={data.unit}
      limits={summary.limits}
      decimals={data.decimals}
      isMixed={shown?.slots !== undefined && shown.entries.some(({ group }) => group === undefined)}
      onOnly={typeof split === 'number' ? only : undefined}
    />
  );
}
