import type { ProcessStatus } from '@sinebar/client';
import { useCallback, useMemo } from 'react';
import { useView, type ViewChange as Changes } from '../../server/use-view';
import { USUAL_COLUMNS, type OverviewColumn } from './overview-columns';
import type { FilterStatus } from '../../quality/values/filter-statuses';
import type { OverviewOrder } from './search';
import type { OverviewChoice } from './use-overview';

/** The view of the overview in the address. */
interface Address {
  order: OverviewOrder;
  statuses: readonly FilterStatus[];
  process: readonly ProcessStatus[];
  find: string;
  own: true;
  columns: readonly OverviewColumn[];
  selected: string;
}

export type ViewChange = Changes<Address>;

export interface PartView {
  choice: OverviewChoice;
  columns: readonly OverviewColumn[];
  selected: string | undefined;
  /** Changes the address; what is typed and which row is selected are no steps of the history. */
  change: (change: ViewChange) => void;
}

/** The view of the overview as its address says it. */
export function usePartView(): PartView {
  const { view, change: changeView } = useView<Address>();
  const { order = 'status', find = '', own = false, columns = USUAL_COLUMNS, selected, statuses, process } = view;
  const choice = useMemo(
    () => ({ order, statuses: statuses ?? [], processes: process ?? [], find, isOwn: own }),
    [order, statuses, process, find, own],
  );
  const change = useCallback(
    (changes: ViewChange) => changeView(changes, { isStep: !Object.keys(changes).every((name) => name === 'selected' || name === 'find') }),
    [changeView],
  );
  return { choice, columns, selected, change };
}
