import { isReadable, type ReadableParts } from '@sinebar/access-control';
import { ServiceError, type PendingChange } from '@sinebar/contracts';
import { readRows, type WriteSession } from '@sinebar/database';
import type { Statement } from '../plan/plan-query.js';

/** Measurements of one part share a message up to this many: it stays well below the broker's limit of 1 MiB. */
const EVENTS_PER_MESSAGE = 1000;
const ROWS_PER_BATCH = 10_000;

/** A part as its events need it. */
export interface MeasuredPart {
  id: number;
  uuid: string;
  /** Stored path. */
  path: string;
}

/**
 * Deletes every measurement of these parts with its values, and what was stored about their characteristics, and announces the deletions in the order
 * of the parts. The caller holds the plan lock and announces what happens to the parts afterwards.
 * spec: inspection-service.md, Parts DELETE, clear; decisions.md 7.3
 */
export async function deleteMeasurementsOfParts(session: WriteSession, parts: readonly MeasuredPart[]): Promise<void> {
  const ids = parts.map(({ id }) => id);
  const gone = new DeletedMeasurements();
  const text = 'DELETE FROM measurement WHERE part_id = ANY($1::int[]) RETURNING part_id, uuid';
  for await (const rows of readRows(session, text, [ids], ROWS_PER_BATCH)) {
    for (const [partId, uuid] of rows) gone.add(Number(partId), uuid as string);
  }
  await session.query('DELETE FROM characteristic_set WHERE part_id = ANY($1::int[])', [ids]);
  if (gone.count > 0) await noteDeletion(session);
  session.announce(gone.events(parts));
}

/**
 * Deletes the measurements whose ids a statement yields as its column `id`, all or none, and announces each deletion. The caller holds the shared plan lock.
 * @returns how many
 * @throws ServiceError 403 when one of them lies in a part where the caller may not write
 */
export async function deleteSelected(session: WriteSession, selected: Statement, writable: ReadableParts): Promise<number> {
  const parts = new Map<number, MeasuredPart>();
  const gone = new DeletedMeasurements();
  const text = `
    WITH gone AS (DELETE FROM measurement USING (${selected.text}) AS chosen WHERE measurement.id = chosen.id RETURNING measurement.part_id, measurement.uuid)
    SELECT gone.part_id, gone.uuid, part.uuid, part.path FROM gone JOIN plan_item part ON part.id = gone.part_id`;
  for await (const rows of readRows(session, text, selected.values, ROWS_PER_BATCH)) {
    for (const [partId, uuid, partUuid, path] of rows) {
      const id = Number(partId);
      if (!parts.has(id)) {
        if (!isReadable(writable, path as string)) throw notWritable(partUuid as string);
        parts.set(id, { id, uuid: partUuid as string, path: path as string });
      }
      gone.add(id, uuid as string);
    }
  }
  if (gone.count > 0) await noteDeletion(session);
  session.announce(gone.events([...parts.values()]));
  return gone.count;
}

/** What was deleted leaves no time of its change behind. Last in its transaction: others that delete wait for this row. */
async function noteDeletion(session: WriteSession): Promise<void> {
  await session.query('UPDATE server_state SET measurement_at = greatest(measurement_at, clock_timestamp())');
}

export function notWritable(partUuid: string): ServiceError {
  return new ServiceError('Forbidden', `you may not delete measurements of the part ${partUuid}; nothing was deleted`);
}

/** The first of the parts that has measurements, `undefined` when none has. */
export async function measuredAmong(session: WriteSession, partIds: readonly number[]): Promise<number | undefined> {
  const [row] = await session.query<{ id: number }>(
    'SELECT id FROM unnest($1::int[]) AS part (id) WHERE EXISTS (SELECT FROM measurement WHERE part_id = part.id) LIMIT 1',
    [partIds],
  );
  return row?.id;
}

/** Uuids of deleted measurements by the id of their part. */
class DeletedMeasurements {
  count = 0;
  private readonly byPart = new Map<number, string[]>();

  add(partId: number, uuid: string): void {
    const uuids = this.byPart.get(partId);
    if (uuids) uuids.push(uuid);
    else this.byPart.set(partId, [uuid]);
    this.count += 1;
  }

  events(parts: readonly MeasuredPart[]): PendingChange[] {
    return parts.flatMap(({ id, uuid: partUuid, path }) => {
      const uuids = this.byPart.get(id) ?? [];
      const changes: PendingChange[] = [];
      for (let start = 0; start < uuids.length; start += EVENTS_PER_MESSAGE) {
        const events = uuids
          .slice(start, start + EVENTS_PER_MESSAGE)
          .map((uuid) => ({ CharacteristicUuid: partUuid, PartUuid: partUuid, MeasurementUuid: uuid }));
        const [only] = events.length === 1 ? events : [];
        changes.push({ type: 'MeasurementDeleted', subject: only?.MeasurementUuid ?? partUuid, path, partUuid, events });
      }
      return changes;
    });
  }
}
