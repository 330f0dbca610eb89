import type { MeasurementStatistics } from '../selection/measurement-parameters.ts';
import type { ReadCharacteristic, ReadSet } from '../codec/read-set.ts';
import type { StoredValues } from '../codec/stored-values.ts';

/** Ids of the groups: within all limits, beyond a warning limit, beyond a tolerance. */
const GROUPS = ['Green', 'Yellow', 'Red'] as const;

/**
 * Renders `status` of a measurement, the count of its characteristics in each group, and `noLimits`, those of Green that have no limits.
 * @returns members of a JSON object. spec: inspection-service.md, Measurements; decisions.md 5.4
 */
export function statusMembers({ positions }: ReadSet, values: StoredValues, statistics: Exclude<MeasurementStatistics, 'none'>): string {
  const counts = [0, 0, 0];
  const uuids: [string[], string[], string[]] = [[], [], []];
  const withoutLimits: string[] = [];
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
    if (!hasLimits(characteristic)) withoutLimits.push(characteristic.uuid);
    if (statistics === 'detailed') uuids[group].push(characteristic.uuid);
  }
  const counted = (count: number | undefined, uuid: readonly string[]) => ({ count, ...(statistics === 'detailed' && { uuid }) });
  const status = JSON.stringify(GROUPS.map((id, group) => ({ id, ...counted(counts[group], uuids[group]!) })));
  if (withoutLimits.length === 0) return `"status":${status}`;
  return `"status":${status},"noLimits":${JSON.stringify(counted(withoutLimits.length, withoutLimits))}`;
}

function hasLimits({ lowerTolerance, upperTolerance, lowerWarning, upperWarning }: ReadCharacteristic): boolean {
  return [lowerTolerance, upperTolerance, lowerWarning, upperWarning].some(Number.isFinite);
}
