import type { ViewChange } from '../../server/use-view';
import { splitBy } from '../../quality/groups/split';
import { list, searchParameters, text, yes } from '../../server/search-parameters';

/** Order of the interface: an attribute key and a direction. */
function order(value: unknown): string | undefined {
  const given = text(value);
  return given !== undefined && /^\d{1,5} (asc|desc)$/.test(given) ? given : undefined;
}

/** Lists tell attributes apart, not shifts, days and weeks. */
function split(value: unknown): number | undefined {
  const by = splitBy(value);
  return typeof by === 'number' ? by : undefined;
}

/** Everything that defines the view, besides the path. */
export const search = searchParameters({
  /** Conditions in the language of the interface. */
  searchCondition: text,
  order,
  /** Key of the attribute that the measurements are split by. */
  split,
  /** Also measurements of the parts below. */
  deep: yes,
  /** Keys of the attributes that are shown. */
  columns: list,
  /** Uuid of the measurement whose values stand at the side. */
  selected: text,
});

/** Newest first. spec: inspection-service.md, Measurements */
export const USUAL_ORDER = '4 desc';

/** The view as the address says it. */
export interface MeasurementsAddress {
  split: number | undefined;
  searchCondition: string;
  order: string;
  isDeep: boolean;
  columns: readonly string[] | undefined;
  selected: string | undefined;
}

/** Parameters of the address. */
export interface MeasurementsAddressParameters {
  split: number;
  searchCondition: string;
  order: string;
  deep: true;
  columns: readonly string[];
  selected: string;
}

export type MeasurementsChange = ViewChange<MeasurementsAddressParameters>;
