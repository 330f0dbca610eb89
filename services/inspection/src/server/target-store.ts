import type { TargetEntity } from '@sinebar/contracts';
import type { Session } from '@sinebar/database';

export interface OwningPart {
  partUuid: string;
  path: string;
  /** Identity of the target: its id, or the ids of measurement and characteristic of a value. Ids are never reused. */
  identity: string;
  /** Version of a value: number of replacements of the values of its measurement. */
  version?: number;
}

interface TargetRow {
  target: string;
  part_uuid: string;
  part_path: string;
  identity: string;
  version?: number;
}

/** Finds the owning parts of those targets that exist, by {@link targetName}. */
export async function existingTargets(session: Session, targets: readonly TargetEntity[]): Promise<Map<string, OwningPart>> {
  const found = new Map<string, OwningPart>();
  const keep = (rows: readonly TargetRow[]) => {
    for (const { target, part_uuid: partUuid, part_path: path, identity, version } of rows)
      found.set(target, { partUuid, path, identity, ...(version !== undefined && { version }) });
  };
  const uuidsOf = (entities: readonly TargetEntity['entity'][]) =>
    targets.filter(({ entity }) => entities.includes(entity)).map(({ uuid }) => uuid);

  const items = uuidsOf(['Part', 'Characteristic']);
  if (items.length > 0) {
    keep(
      await session.query<TargetRow>(
        `SELECT initcap(item.kind) || '|' || item.uuid AS target, part.uuid AS part_uuid, part.path AS part_path, item.id::text AS identity
         FROM plan_item item JOIN plan_item part ON part.id = item.part_id WHERE item.uuid = ANY($1::uuid[])`,
        [items],
        { name: 'resolve-plan-items' },
      ),
    );
  }
  const measurements = uuidsOf(['Measurement']);
  if (measurements.length > 0) {
    keep(
      await session.query<TargetRow>(
        `SELECT 'Measurement|' || measurement.uuid AS target, part.uuid AS part_uuid, part.path AS part_path,
           measurement.id::text AS identity
         FROM measurement JOIN plan_item part ON part.id = measurement.part_id WHERE measurement.uuid = ANY($1::uuid[])`,
        [measurements],
        { name: 'resolve-measurements' },
      ),
    );
  }
  const values = uuidsOf(['Value']).map((uuid) => uuid.split('|'));
  if (values.length > 0) {
    keep(
      await session.query<TargetRow>(
        `SELECT 'Value|' || measurement.uuid || '|' || item.uuid AS target, part.uuid AS part_uuid, part.path AS part_path,
           measurement.id || '.' || item.id AS identity, measurement.values_version AS version
         FROM unnest($1::uuid[], $2::uuid[]) AS wanted (measurement_uuid, characteristic_uuid)
         JOIN measurement ON measurement.uuid = wanted.measurement_uuid
         JOIN plan_item item ON item.uuid = wanted.characteristic_uuid AND item.kind = 'characteristic'
         JOIN characteristic_set ON characteristic_set.id = measurement.characteristic_set_id
         JOIN plan_item part ON part.id = measurement.part_id
         WHERE measurement."values"[array_position(characteristic_set.characteristic_ids, item.id)] IS NOT NULL
           OR measurement.extras ? item.id::text`,
        [values.map(([measurement]) => measurement), values.map(([, characteristic]) => characteristic)],
        { name: 'resolve-values' },
      ),
    );
  }
  return found;
}

export function targetName({ entity, uuid }: TargetEntity): string {
  return `${entity}|${uuid}`;
}
