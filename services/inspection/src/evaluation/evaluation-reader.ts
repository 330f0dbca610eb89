import { sql, type Session } from '@sinebar/database';
import {
  effectiveEvaluation,
  evaluationOfAttributes,
  isCounting,
  type AttributeNumbers,
  type EffectiveEvaluation,
  type EvaluationDefaults,
} from './effective-evaluation.ts';
import { mapInTurns } from '../shared/turns.ts';
import { pathsAbove, readLevels, readLevelsOf } from './evaluation-store.ts';

/** How the values of one characteristic are evaluated. */
export interface CharacteristicEvaluation extends EffectiveEvaluation {
  /** Ids of the measurements that are left out. */
  excluded: ReadonlySet<number>;
  defaults: EvaluationDefaults;
}

/** What the evaluation of a characteristic follows from. */
export interface EvaluatedCharacteristic {
  /** Stored path. */
  path: string;
  numbers: AttributeNumbers;
}

/** Reads evaluations for figures, with a fixed number of statements. */
export class EvaluationReader {
  readonly defaults: (session: Session) => Promise<EvaluationDefaults>;

  constructor(defaults: (session: Session) => Promise<EvaluationDefaults>) {
    this.defaults = defaults;
  }

  async read(session: Session, { path, numbers }: EvaluatedCharacteristic): Promise<CharacteristicEvaluation> {
    const defaults = await this.defaults(session);
    const effective = effectiveEvaluation(await readLevels(session, path), evaluationOfAttributes(numbers), defaults, isCounting(numbers));
    return { ...effective, excluded: await readExcluded(session, path), defaults };
  }

  /** Reads the evaluations of characteristics of one part, in their order. Characteristics for which the same is said share it. */
  async readOfPart(session: Session, partId: number, characteristics: readonly PartCharacteristic[]): Promise<CharacteristicEvaluation[]> {
    const defaults = await this.defaults(session);
    const levels = await readLevelsOf(session, [...new Set(characteristics.flatMap(({ path }) => pathsAbove(path)))]);
    const byPath = new Map(levels.map((level) => [level.path, level]));
    const excluded = await readExcludedOfParts(session, [partId]);
    const shared = new Map<string, EffectiveEvaluation>();
    return mapInTurns(characteristics, ({ id, path, numbers }) => {
      const levels = pathsAbove(path).flatMap((above) => byPath.get(above) ?? []);
      const attributes = evaluationOfAttributes(numbers);
      const counts = isCounting(numbers);
      const key = JSON.stringify([levels.map((level) => level.path), attributes, counts]);
      let effective = shared.get(key);
      if (!effective) shared.set(key, (effective = effectiveEvaluation(levels.reverse(), attributes, defaults, counts)));
      return { ...effective, excluded: excludedOf(excluded, id), defaults };
    });
  }
}

/** A characteristic of one part, with its id. */
interface PartCharacteristic extends EvaluatedCharacteristic {
  id: number;
}

/** Reads the ids of the measurements that are left out for a characteristic. */
async function readExcluded(session: Session, path: string): Promise<ReadonlySet<number>> {
  const rows = await session.query<{ id: string }>(
    `SELECT x.measurement_id AS id FROM evaluation_exclusion x JOIN plan_item item ON item.id = x.item_id WHERE item.path = ANY($1::text[])`,
    [pathsAbove(path)],
    { name: 'excluded-measurements' },
  );
  return new Set(rows.map(({ id }) => Number(id)));
}

/** Measurements of parts that are left out: for all characteristics of their part, or for these. */
export type ExcludedMeasurements = ReadonlyMap<number, 'all' | ReadonlySet<number>>;

/** Reads what is left out in parts. */
export async function readExcludedOfParts(session: Session, partIds: readonly number[]): Promise<ExcludedMeasurements> {
  // Planning the other statement takes more than a millisecond, and most servers leave nothing out.
  const some = await session.query('SELECT FROM evaluation_exclusion LIMIT 1', [], { name: 'some-exclusion' });
  if (some.length === 0) return new Map();
  const rows = await session.query<{ measurement: string; characteristic: number | null }>(
    sql`SELECT x.measurement_id AS measurement, c.id AS characteristic
      FROM evaluation_exclusion x JOIN measurement m ON m.id = x.measurement_id JOIN plan_item part ON part.id = m.part_id
        JOIN plan_item item ON item.id = x.item_id
        LEFT JOIN plan_item c ON item.kind = 'characteristic' AND c.kind = 'characteristic' AND c.part_id = m.part_id
          AND c.path >= item.path AND c.path < left(item.path, -1) || '0'
      WHERE m.part_id = ANY(${partIds}::int[]) AND (starts_with(part.path, item.path) OR c.id IS NOT NULL)`,
  );
  const excluded = new Map<number, 'all' | Set<number>>();
  for (const { measurement, characteristic } of rows) {
    const id = Number(measurement);
    const known = excluded.get(id);
    if (characteristic === null) excluded.set(id, 'all');
    else if (known === undefined) excluded.set(id, new Set([characteristic]));
    else if (known !== 'all') known.add(characteristic);
  }
  return excluded;
}

/** Returns the ids of the measurements that are left out for a characteristic. */
export function excludedOf(excluded: ExcludedMeasurements, characteristicId: number): Set<number> {
  const ids = [...excluded].filter(([, of]) => of === 'all' || of.has(characteristicId)).map(([id]) => id);
  return new Set(ids);
}
