import { ROOT_PART_UUID, type ChangeEnvelope, type MeasurementPayload, type RawDataEntity, type TargetEntity } from '@sinebar/contracts';
import { columnsOf, type Session } from '@sinebar/database';
import { targetColumns, targetOfColumns } from '../targets/target.ts';

/** Changes that delete targets of files; `MeasurementModified` does so when it removes values. */
export type TargetDeletionType = 'CharacteristicDeleted' | 'MeasurementDeleted' | 'MeasurementModified';

/** Files of one target that were written while it had the same owning part, identity and version. */
export interface FileGroup {
  target: TargetEntity;
  partUuid: string;
  /** `null` when unknown. */
  identity: string | null;
  /** Version of the measurement's values, for files of values; `null` when unknown. */
  version: number | null;
  /** Files of an older version belong to a removed value, even if the value exists again. */
  removedBefore?: number | undefined;
  ids: string[];
  /** Path of the target in the event of its deletion. */
  lastPath?: string | undefined;
}

interface Row {
  entity: RawDataEntity;
  target_uuid: string;
  characteristic_uuid: string;
  part_uuid: string;
  target_identity: string | null;
  target_version: number | null;
  ids: string[];
}

const TARGET = 'object.entity, object.target_uuid, object.characteristic_uuid';
const COLUMNS = `${TARGET}, object.part_uuid, object.target_identity, object.target_version`;
const GROUPED = `SELECT ${COLUMNS}, array_agg(object.id::text) AS ids`;

/** Statements for the files of deleted targets, including the values of a measurement or characteristic. */
const DELETED_TARGETS: Readonly<Record<TargetDeletionType, string>> = {
  CharacteristicDeleted: `
    ${GROUPED} FROM raw_data_object AS object WHERE object.entity = 'Characteristic' AND object.target_uuid = ANY($1::uuid[])
      GROUP BY ${COLUMNS}
    UNION ALL
    ${GROUPED} FROM raw_data_object AS object WHERE object.entity = 'Value' AND object.characteristic_uuid = ANY($1::uuid[])
      GROUP BY ${COLUMNS}`,
  MeasurementDeleted: `
    ${GROUPED} FROM raw_data_object AS object WHERE object.entity = ANY('{Measurement,Value}') AND object.target_uuid = ANY($1::uuid[])
      GROUP BY ${COLUMNS}`,
  MeasurementModified: `
    ${GROUPED} FROM raw_data_object AS object WHERE object.entity = 'Value'
    AND (object.target_uuid, object.characteristic_uuid) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[])) GROUP BY ${COLUMNS}`,
};

/** Groups files by target, to compare them with the existing targets. */
export class FileGroupStore {
  private readonly session: Session;

  constructor(session: Session) {
    this.session = session;
  }

  /** Finds the files of the targets that these changes of one kind deleted. spec: decisions.md 5.5, 6.1 */
  async ofDeleted(kind: TargetDeletionType, envelopes: readonly ChangeEnvelope[]): Promise<FileGroup[]> {
    const deleted = envelopes.flatMap((envelope) => deletedTargets(kind, envelope));
    const uuids = deleted.map(({ uuid }) => uuid);
    if (kind !== 'MeasurementModified') {
      const paths = new Map(deleted.map(({ uuid, path }) => [uuid, path]));
      const pathOf = (target: TargetEntity) => target.uuid.split('|').flatMap((uuid) => paths.get(uuid) ?? [])[0];
      return (await this.groups(DELETED_TARGETS[kind], [uuids])).map((group) => ({ ...group, lastPath: pathOf(group.target) }));
    }
    const removedBefore = new Map<string, number>();
    for (const { uuid, characteristic = '', version = 0 } of deleted) {
      const value = `${uuid}|${characteristic}`;
      removedBefore.set(value, Math.max(version, removedBefore.get(value) ?? 0));
    }
    const groups = await this.groups(DELETED_TARGETS[kind], [uuids, deleted.map(({ characteristic }) => characteristic)]);
    return groups.map((group) => ({ ...group, removedBefore: removedBefore.get(group.target.uuid) }));
  }

  /** Finds the files of all targets of these parts. @param entity restricts the targets */
  async ofParts(partUuids: readonly string[], entity?: RawDataEntity): Promise<FileGroup[]> {
    return this.groups(
      `${GROUPED} FROM raw_data_object AS object
       WHERE object.part_uuid = ANY($1::uuid[]) AND ($2::text IS NULL OR object.entity = $2) GROUP BY ${COLUMNS}`,
      [partUuids, entity ?? null],
    );
  }

  /** Reads the files of one page of targets, in the order of their columns. @param limit number of targets */
  async page(after: TargetEntity | undefined, limit: number): Promise<FileGroup[]> {
    return this.groups(
      `WITH page AS (
         SELECT DISTINCT ${TARGET} FROM raw_data_object AS object WHERE (${TARGET}) > ($1, $2::uuid, $3::uuid) ORDER BY ${TARGET} LIMIT $4
       )
       ${GROUPED} FROM page JOIN raw_data_object AS object USING (entity, target_uuid, characteristic_uuid) GROUP BY ${COLUMNS}
       ORDER BY ${TARGET}`,
      [...(after ? targetColumns(after) : ['', ROOT_PART_UUID, ROOT_PART_UUID]), limit],
    );
  }

  /** Locks the files of these groups. @returns ids of the files that still have the part, identity and version of their group */
  async lockUnchanged(groups: readonly FileGroup[]): Promise<Set<string>> {
    const asked = groups.flatMap(({ ids, partUuid, identity, version }) => ids.map((id) => ({ id, partUuid, identity, version })));
    const rows = await this.session.query<{ id: string }>(
      `SELECT object.id::text AS id
       FROM unnest($1::bigint[], $2::uuid[], $3::text[], $4::integer[]) AS asked (id, part_uuid, identity, version)
       JOIN raw_data_object AS object ON object.id = asked.id AND object.part_uuid = asked.part_uuid
         AND object.target_identity IS NOT DISTINCT FROM asked.identity AND object.target_version IS NOT DISTINCT FROM asked.version
       FOR UPDATE OF object`,
      columnsOf(asked, 'id', 'partUuid', 'identity', 'version'),
    );
    return new Set(rows.map(({ id }) => id));
  }

  async setPart(ids: readonly string[], partUuid: string): Promise<void> {
    await this.session.query('UPDATE raw_data_object SET part_uuid = $2::uuid WHERE id = ANY($1::bigint[])', [ids, partUuid]);
  }

  private async groups(text: string, values: readonly unknown[]): Promise<FileGroup[]> {
    return (await this.session.query<Row>(text, values)).map((row) => ({
      target: targetOfColumns(row.entity, row.target_uuid, row.characteristic_uuid),
      partUuid: row.part_uuid,
      identity: row.target_identity,
      version: row.target_version,
      ids: row.ids,
    }));
  }
}

interface DeletedTarget {
  uuid: string;
  path: string;
  characteristic?: string;
  /** Version of the measurement's values after the change. */
  version?: number | undefined;
}

function deletedTargets(kind: TargetDeletionType, { data, sinebarpath: path }: ChangeEnvelope): DeletedTarget[] {
  // In measurement events the property of this name is the part.
  if (kind === 'CharacteristicDeleted')
    return (data.events as { CharacteristicUuid: string }[]).map(({ CharacteristicUuid }) => ({ uuid: CharacteristicUuid, path }));
  const measurements = (data.events as MeasurementPayload[]).map(({ MeasurementUuid }) => MeasurementUuid);
  if (kind === 'MeasurementDeleted') return measurements.map((uuid) => ({ uuid, path }));
  const { removedCharacteristics = [], valuesVersion: version } = data;
  return measurements.flatMap((uuid) => removedCharacteristics.map((characteristic) => ({ uuid, path, characteristic, version })));
}
