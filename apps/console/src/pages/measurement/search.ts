import { FILTER_STATUSES, type FilterStatus } from '../../quality/values/filter-statuses';
import type { RowOrder } from '../../quality/values/measured-rows';
import { list, oneOf, searchParameters, text } from '../../server/search-parameters';

export const ROW_ORDERS = ['worst', 'plan', 'name', 'change'] as const;
/** Everything that defines the view, besides the path. */
export const search = searchParameters({
  /** The measurement to compare with: the measurement before when missing, nothing, or the one with this uuid. */
  against: text,
  order: oneOf(ROW_ORDERS),
  statuses: (value) => {
    const named = list(value) ?? [];
    const found = FILTER_STATUSES.filter((status) => named.includes(status));
    return found.length > 0 ? found : undefined;
  },
  find: text,
  /** Uuid of the characteristic that is selected. */
  selected: text,
});

/** The view in the address. */
export interface MeasurementAddress {
  against: string;
  order: RowOrder;
  statuses: readonly FilterStatus[];
  find: string;
  selected: string;
}

/** Value of `against` for no comparison. */
export const AGAINST_NOTHING = 'none';
