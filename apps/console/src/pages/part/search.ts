import type { ProcessStatus } from '@sinebar/client';
import { FILTER_STATUSES, type FilterStatus } from '../../quality/values/filter-statuses';
import { PROCESS_STATUSES } from '../../quality/values/process';
import { list, oneOf, searchParameters, text, yes } from '../../server/search-parameters';
import { OVERVIEW_COLUMNS, type OverviewColumn } from './overview-columns';

export const OVERVIEW_ORDERS = ['status', 'ppk', 'name', 'plan'] as const;
export type OverviewOrder = (typeof OVERVIEW_ORDERS)[number];

function chosenOf<Word extends string>(words: readonly Word[]): (value: unknown) => readonly Word[] | undefined {
  return (value) => {
    const named = list(value) ?? [];
    const found = words.filter((word) => named.includes(word));
    return found.length > 0 ? found : undefined;
  };
}

/** Everything that defines the view, besides the path. */
export const search = searchParameters({
  order: oneOf(OVERVIEW_ORDERS),
  statuses: chosenOf<FilterStatus>(FILTER_STATUSES),
  process: chosenOf<ProcessStatus>(PROCESS_STATUSES),
  find: text,
  /** Only the characteristics of the part itself, not those of the parts below it. */
  own: yes,
  columns: chosenOf<OverviewColumn>(OVERVIEW_COLUMNS),
  /** Uuid of the characteristic that is selected. */
  selected: text,
});
