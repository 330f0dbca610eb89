import type { MeasurementStatistics } from '../selection/measurement-parameters.ts';
import type { ReadSet } from '../codec/read-set.ts';
import type { StoredValues } from '../codec/stored-values.ts';

/** Ids of the groups: within all limits, beyond a warning limit, beyond a tolerance. */
const GROUPS = ['Green', 'Yellow', 'Red'] as const;

/**
 * Renders `status` of a measurement: the count of its characteristics in each group.
 * @returns a JSON text. spec: inspection-service.md, Measurements; decisions.md 5.4
 */
export function statusText({ positions }: ReadSet, values: StoredValues, statistics: Exclude<MeasurementStatistics, 'none'>): string {
  const counts = [0, 0, 0];
  const uuids: [string[], string[], string[]] = [[], [], []];
  for (let i = 0; i < values.count; i += 1) {
    const characteristic = positions[i];
    const value = values.numbers[i] as number;
    if (characteristic === undefined || Number.isNaN(value)) continue;
    const group =
      value < characteristic.lowerTolerance || value > characteristic.upperTolerance
        ? 2
        : value < characteristic.lowerWarning || value > characteristic.upperWarning
          ? 1
          : 0;
    counts[group] = (counts[group] ?? 0) + 1;
    if (statistics === 'detailed') uuids[group].push(characteristic.uuid);
  }
  return JSON.stringify(
    GROUPS.map((id, group) => ({ id, count: counts[group], ...(statistics === 'detailed' && { uuid: uuids[group] }) })),
  );
}
