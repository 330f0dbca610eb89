import type { ChangeEnvelope, MeasurementPayload, RawDataEntity, TargetEntity } from '@sinebar/contracts';
import type { Session } from '@sinebar/database';
import { targetOfColumns } from '../targets/target.js';

/** Changes that take away what may have files; `MeasurementModified` does when it removes values. */
export type TargetsGone = 'CharacteristicDeleted' | 'MeasurementDeleted' | 'MeasurementModified';

export interface GoneFile {
  id: string;
  target: TargetEntity;
  /** Written when its target was gone or later: that may exist again. */
  isNewer: boolean;
}

interface Row {
  id: string;
  entity: RawDataEntity;
  target_uuid: string;
  characteristic_uuid: string;
  newer: boolean;
}

const COLUMNS =
  'object.id::text AS id, object.entity, object.target_uuid, object.characteristic_uuid, object.last_modified >= gone.at AS newer';

const STATEMENTS: Readonly<Record<TargetsGone, string>> = {
  CharacteristicDeleted: `
    SELECT ${COLUMNS} FROM unnest($1::uuid[], $2::timestamptz[]) AS gone (uuid, at)
    JOIN raw_data_object AS object ON object.entity = 'Characteristic' AND object.target_uuid = gone.uuid
    UNION ALL SELECT ${COLUMNS} FROM unnest($1::uuid[], $2::timestamptz[]) AS gone (uuid, at)
    JOIN raw_data_object AS object ON object.entity = 'Value' AND object.characteristic_uuid = gone.uuid`,
  MeasurementDeleted: `
    SELECT ${COLUMNS} FROM unnest($1::uuid[], $2::timestamptz[]) AS gone (uuid, at)
    JOIN raw_data_object AS object ON object.entity = ANY ('{Measurement,Value}') AND object.target_uuid = gone.uuid`,
  MeasurementModified: `
    SELECT ${COLUMNS} FROM unnest($1::uuid[], $2::timestamptz[], $3::uuid[]) AS gone (uuid, at, characteristic)
    JOIN raw_data_object AS object ON object.entity = 'Value' AND object.target_uuid = gone.uuid AND object.characteristic_uuid = gone.characteristic`,
};

/**
 * The files of what these changes of one kind took away, values of a measurement or of a characteristic included.
 * spec: decisions.md 5.5, 6.1
 */
export async function goneFiles(session: Session, kind: TargetsGone, envelopes: readonly ChangeEnvelope[]): Promise<GoneFile[]> {
  const gone = envelopes.flatMap((envelope) => goneTargets(kind, envelope).map((target) => ({ ...target, at: new Date(envelope.time) })));
  const rows = await session.query<Row>(STATEMENTS[kind], [
    gone.map(({ uuid }) => uuid),
    gone.map(({ at }) => at),
    ...(kind === 'MeasurementModified' ? [gone.map(({ characteristic }) => characteristic)] : []),
  ]);
  return rows.map((row) => ({
    id: row.id,
    target: targetOfColumns(row.entity, row.target_uuid, row.characteristic_uuid),
    isNewer: row.newer,
  }));
}

function goneTargets(kind: TargetsGone, { data }: ChangeEnvelope): { uuid: string; characteristic?: string }[] {
  // Of measurement events the property of this name is the part.
  if (kind === 'CharacteristicDeleted')
    return (data.events as { CharacteristicUuid: string }[]).map(({ CharacteristicUuid }) => ({ uuid: CharacteristicUuid }));
  const measurements = (data.events as MeasurementPayload[]).map(({ MeasurementUuid }) => MeasurementUuid);
  if (kind === 'MeasurementDeleted') return measurements.map((uuid) => ({ uuid }));
  const { removedCharacteristics = [] } = data;
  return measurements.flatMap((uuid) => removedCharacteristics.map((characteristic) => ({ uuid, characteristic })));
}
