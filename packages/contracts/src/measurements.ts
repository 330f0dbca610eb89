/** Value attributes by attribute key; `1` is the measured value. */
export type ValueAttributes = Record<string, string>;

/** Counts of the values of one measurement by their limits (spec: decisions.md 5.4). */
export interface MeasurementStatus {
  id: 'Green' | 'Yellow' | 'Red';
  count: number;
  /** Uuids of the characteristics; with `Detailed` only. */
  uuid?: string[];
}

/** spec: inspection-service.md, Measurement; decisions.md 5.5 */
export interface Measurement {
  uuid: string;
  partUuid: string;
  /** By attribute key; `4` is the time. */
  attributes: Record<string, string>;
  /** ISO 8601, UTC, milliseconds. */
  lastModified: string;
  created: string;
  comment?: string;
  /** With `statistics` only. */
  status?: MeasurementStatus[];
}

/** spec: inspection-service.md, Values */
export interface MeasurementWithValues extends Measurement {
  /** By uuid of the characteristic. */
  characteristics: Record<string, ValueAttributes>;
}
