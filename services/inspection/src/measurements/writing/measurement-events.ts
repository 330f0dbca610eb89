import type { PendingChange } from '@sinebar/contracts';

/** Measurements of one part that share a message, at most: the message stays well below the broker's limit of 1 MiB. */
const EVENTS_PER_MESSAGE = 1000;
/** Uuids of removed characteristics in one message; the rest follows in further messages about the same measurement. */
const REMOVALS_PER_MESSAGE = 15_000;

/** A written measurement, and its part as read under the plan lock. */
export interface WrittenMeasurement {
  uuid: string;
  part: { uuid: string; path: string };
  /** Uuids of the characteristics whose values the change removed. */
  removed?: readonly string[];
  /** Version of the values after the change. */
  valuesVersion?: number;
}

/**
 * Makes one event for each measurement, in the order given within each part. A measurement that lost characteristics gets messages of its
 * own, because a list of removed characteristics holds for every measurement of its message.
 * spec: inspection-service.md, Measurement events; decisions.md 7.1
 */
export function measurementEvents(
  type: 'MeasurementCreated' | 'MeasurementModified',
  written: readonly WrittenMeasurement[],
): PendingChange[] {
  const byPart = new Map<string, WrittenMeasurement[]>();
  const alone: PendingChange[] = [];
  for (const measurement of written) {
    const { removed = [], part, valuesVersion } = measurement;
    for (let start = 0; start < removed.length; start += REMOVALS_PER_MESSAGE) {
      const change = message(type, part, [measurement]);
      const removedCharacteristics = removed.slice(start, start + REMOVALS_PER_MESSAGE);
      alone.push({ ...change, removedCharacteristics, ...(valuesVersion !== undefined && { valuesVersion }) });
    }
    if (removed.length > 0) continue;
    const ofPart = byPart.get(part.uuid);
    if (ofPart) ofPart.push(measurement);
    else byPart.set(part.uuid, [measurement]);
  }
  const together = [...byPart.values()].flatMap((ofPart) =>
    Array.from({ length: Math.ceil(ofPart.length / EVENTS_PER_MESSAGE) }, (_, i) => {
      const some = ofPart.slice(i * EVENTS_PER_MESSAGE, (i + 1) * EVENTS_PER_MESSAGE);
      return message(type, (some[0] as WrittenMeasurement).part, some);
    }),
  );
  return [...together, ...alone];
}

function message(
  type: 'MeasurementCreated' | 'MeasurementModified',
  part: WrittenMeasurement['part'],
  measurements: readonly WrittenMeasurement[],
): PendingChange {
  const [first] = measurements;
  return {
    type,
    subject: measurements.length === 1 && first ? first.uuid : part.uuid,
    path: part.path,
    partUuid: part.uuid,
    events: measurements.map(({ uuid }) => ({ CharacteristicUuid: part.uuid, PartUuid: part.uuid, MeasurementUuid: uuid })),
  };
}
