import { columnsOf, sql, type Session, type WriteSession } from '@sinebar/database';
import type { KeptModel, ModelRequest, Since, Stable } from '@sinebar/statistics';
import { inTurns, mapInTurns } from '../../shared/turns.ts';
import { readCopiedRows } from '../copied-rows.ts';
import { NUMBER_BYTES } from '../copy-format.ts';
import { AssessmentFields, SHOWN_FIELDS, type KeptAssessment } from './assessment-fields.ts';
import { copyInto, idsIn } from './kept-figures-store.ts';

const ID_BYTES = Int32Array.BYTES_PER_ELEMENT;

/** Assessments of a part, and the characteristics of their columns, ascending. */
export interface StoredAssessments {
  ids: Int32Array;
  fields: AssessmentFields;
}

/** The model of a characteristic as it is kept. */
export interface KeptModelState {
  /** See `modelBasisOf`. */
  basis: string;
  request: ModelRequest;
  /** ISO 8601. */
  fittedAt: string;
  model: KeptModel;
  stable: Stable;
  since?: Omit<Since, 'index'> & { time?: string; measurementId: number };
}

/** Reads what is kept of parts. @param fields `shown` leaves all others 0 */
export async function readAssessments(
  session: Session,
  partIds: readonly number[],
  fields: 'shown' | 'all',
): Promise<Map<number, StoredAssessments>> {
  const stored =
    fields === 'all'
      ? sql`k.fields`
      : sql`substring(k.fields FROM 1 FOR length(k.characteristics) / ${ID_BYTES}::int * ${SHOWN_FIELDS * NUMBER_BYTES}::int)`;
  const read = new Map<number, StoredAssessments>();
  const statement = sql`SELECT k.part_id, k.characteristics, ${stored} FROM kept_assessment k WHERE k.part_id = ANY(${partIds}::int[])`;
  await readCopiedRows(session, statement, 3, (row) => {
    const ids = idsIn(row, 1);
    const assessments = new AssessmentFields(ids.length);
    copyInto(new Uint8Array(assessments.data.buffer), row.bytes, row.offsets[2]!, row.lengths[2]!);
    read.set(row.bytes.readInt32BE(row.offsets[0]), { ids, fields: assessments });
  });
  return read;
}

/** Finds those of the parts whose values, or what else their assessments depend on, have changed since they were assessed. */
export async function readPendingParts(session: Session, partIds: readonly number[]): Promise<ReadonlySet<number>> {
  const rows = await session.query<{ id: number }>(
    `SELECT part_id AS id FROM assessment_change WHERE part_id = ANY($1::int[])
     UNION SELECT part_id FROM figure_change WHERE part_id = ANY($1::int[])`,
    [partIds],
    { name: 'pending-assessments' },
  );
  return new Set(rows.map(({ id }) => id));
}

/** Reads kept models by the ids of their characteristics. */
export async function readKeptModels(session: Session, ids: readonly number[]): Promise<Map<number, KeptModelState>> {
  const rows = await session.query<{ id: number; state: KeptModelState }>(
    'SELECT characteristic_id AS id, state FROM kept_model WHERE characteristic_id = ANY($1::int[])',
    [ids],
    { name: 'kept-models' },
  );
  return new Map(rows.map(({ id, state }) => [id, state]));
}

/** Stores all assessments of a part, and models of some of its characteristics. */
export async function storeAssessments(
  session: WriteSession,
  partId: number,
  assessments: ReadonlyMap<number, KeptAssessment>,
  models: ReadonlyMap<number, KeptModelState>,
): Promise<void> {
  if (assessments.size === 0) {
    await session.query('DELETE FROM kept_assessment WHERE part_id = $1', [partId]);
    return;
  }
  const ids = Int32Array.from(assessments.keys()).sort();
  const fields = new AssessmentFields(ids.length);
  await mapInTurns(ids, (id, column) => fields.set(column, assessments.get(id)!));
  await session.query(
    `INSERT INTO kept_assessment (part_id, characteristics, fields) VALUES ($1, $2, $3)
     ON CONFLICT (part_id) DO UPDATE SET characteristics = EXCLUDED.characteristics, fields = EXCLUDED.fields`,
    [partId, Buffer.from(ids.buffer), Buffer.from(fields.data.buffer)],
  );
  for await (const slice of inTurns(models)) {
    const rows = slice.map(([id, state]) => ({ id, state: JSON.stringify(state) }));
    await session.query(
      `INSERT INTO kept_model (characteristic_id, state) SELECT * FROM unnest($1::int[], $2::json[])
       ON CONFLICT (characteristic_id) DO UPDATE SET state = EXCLUDED.state`,
      columnsOf(rows, 'id', 'state'),
    );
  }
}

/** A part that is to be assessed, with the last of its changes. */
export interface AssessmentOrder {
  partId: number;
  lastChange: string;
}

/** Finds the part that has waited longest; others follow when it is done. */
export async function findPartToAssess(session: Session): Promise<AssessmentOrder | undefined> {
  const [part] = await session.query<AssessmentOrder & Record<string, unknown>>(
    `SELECT part_id AS "partId", max(id)::text AS "lastChange" FROM assessment_change
     WHERE part_id = (SELECT part_id FROM assessment_change ORDER BY id LIMIT 1) GROUP BY part_id`,
  );
  return part;
}

/** Removes the changes that an assessment has seen. */
export async function removeChanges(session: WriteSession, { partId, lastChange }: AssessmentOrder): Promise<void> {
  await session.query('DELETE FROM assessment_change WHERE part_id = $1 AND id <= $2::bigint', [partId, lastChange]);
}

/**
 * Gives the right to assess to one process, which keeps it while it works; after its end another one takes it.
 * @returns whether this process has it
 */
export async function takeLease(session: WriteSession, holder: string, seconds: number): Promise<boolean> {
  // Citus refuses now() in the condition of a conflict.
  const [time] = await session.query<{ present: string; end: string }>(
    'SELECT now()::text AS present, (now() + make_interval(secs => $1))::text AS "end"',
    [seconds],
    { name: 'assessment-times' },
  );
  const taken = await session.execute(
    `INSERT INTO assessment_lease AS lease (id, holder, held_until) VALUES (1, $1::uuid, $3::timestamptz)
     ON CONFLICT (id) DO UPDATE SET holder = EXCLUDED.holder, held_until = EXCLUDED.held_until
     WHERE lease.holder = EXCLUDED.holder OR lease.held_until < $2::timestamptz`,
    [holder, time!.present, time!.end],
    { name: 'assessment-lease' },
  );
  return taken > 0;
}
