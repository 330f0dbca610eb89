import type { ViewChange } from '../../server/use-view';
import { list, searchParameters, text, yes } from '../../server/search-parameters';

/** Order of the interface: an attribute key and a direction. */
function order(value: unknown): string | undefined {
  const given = text(value);
  return given !== undefined && /^\d{1,5} (asc|desc)$/.test(given) ? given : undefined;
}

/** Everything that defines the view, besides the path. */
export const search = searchParameters({
  /** Conditions in the language of the interface. */
  searchCondition: text,
  order,
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
  searchCondition: string;
  order: string;
  isDeep: boolean;
  columns: readonly string[] | undefined;
  selected: string | undefined;
}

/** Parameters of the address. */
export interface MeasurementsAddressParameters {
  searchCondition: string;
  order: string;
  deep: true;
  columns: readonly string[];
  selected: string;
}

export type MeasurementsChange = ViewChange<MeasurementsAddressParameters>;
