import type { GroupedBy } from '@sinebar/client';
import { useFormats, useTexts } from '../../design/language/language';
import { useAttributeText, useConfiguration } from '../attributes/configuration';
import { numberOfGroups, type Group, type GroupName } from './grouping';
import { texts } from './texts';

/** Words for what values are split by, and for its groups. */
export interface GroupWords {
  splitName: (by: GroupedBy) => string;
  groupName: (by: GroupedBy, group: GroupName) => string;
  othersName: (groups: readonly Group[]) => string;
}

/** Names groups as the reader knows them: entries of catalogs by their texts, days as dates. */
export function useGroupWords(): GroupWords {
  const t = useTexts(texts);
  const formats = useFormats();
  const { configuration } = useConfiguration();
  const attributeText = useAttributeText(configuration);
  const valueName = (by: GroupedBy, value: string): string => {
    if (typeof by === 'number') return attributeText(by, value).text;
    if (by === 'day') return formats.date(`${value}T12:00`);
    const [year = '', week = ''] = by === 'week' ? value.split('-W') : [];
    return by === 'week' ? t.weekOf(String(Number(week)), year) : value;
  };
  return {
    splitName: (by) => (typeof by === 'number' ? (configuration.byKey.get(by)?.description ?? String(by)) : t[by]),
    groupName: (by, { value, text, others }) => {
      if (others !== undefined) return t.others(formats.count(others));
      if (text !== undefined) return text;
      if (value !== undefined) return valueName(by, value);
      return typeof by === 'number' ? t.noEntry : by === 'shift' ? t.betweenShifts : t.noTime;
    },
    othersName: (groups) => t.others(formats.count(numberOfGroups(groups))),
  };
}
