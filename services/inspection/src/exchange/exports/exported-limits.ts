import type { StageLimits } from '@sinebar/contracts';
import type { Session } from '@sinebar/database';
import {
  CONTROL_LIMIT_ATTRIBUTES,
  EVALUATION_ATTRIBUTES,
  isCounting,
  type AttributeNumbers,
} from '../../evaluation/effective-evaluation.ts';
import type { CharacteristicEvaluation, EvaluationReader } from '../../evaluation/evaluation-reader.ts';

type GivenLimits = Extract<StageLimits, { kind: 'given' }>;
type Attributes = Record<string, string>;

const LIMIT_KEYS: ReadonlySet<string> = new Set(Object.values(CONTROL_LIMIT_ATTRIBUTES).map(String));

interface LimitedRow {
  id: number;
  partId: number;
  path: string;
  numbers: AttributeNumbers | null;
  [column: string]: unknown;
}

/** Control limits that evaluations give, as attributes of characteristics by their id; those of attributes stay as they are. */
export class ExportedLimits {
  private readonly byId: ReadonlyMap<number, Attributes>;

  constructor(byId: ReadonlyMap<number, Attributes>) {
    this.byId = byId;
  }

  /** The attributes with the limits in place of those that they hold. */
  withLimits(id: number, attributes: Attributes): Attributes {
    const limits = this.byId.get(id);
    if (!limits) return attributes;
    const others = Object.entries(attributes).filter(([key]) => !LIMIT_KEYS.has(key));
    return { ...Object.fromEntries(others), ...limits };
  }
}

/** Reads the limits of the newest stage of the characteristics of parts, where it gives them. */
export async function readExportedLimits(
  session: Session,
  evaluations: EvaluationReader,
  partIds: readonly number[],
): Promise<ExportedLimits> {
  const limits = new Map<number, Attributes>();
  if (!(await areLimitsGiven(session))) return new ExportedLimits(limits);
  const rows = await session.query<LimitedRow>(
    `SELECT id, part_id AS "partId", path, (SELECT json_object_agg(key, limit_number(attributes ->> key))
       FROM unnest($2::text[]) AS key) AS numbers
     FROM plan_item WHERE kind = 'characteristic' AND part_id = ANY($1::int[])`,
    [partIds, EVALUATION_ATTRIBUTES.map(String)],
  );
  for (const [partId, ofPart] of Map.groupBy(rows, (row) => row.partId)) {
    const characteristics = ofPart.map(({ id, path, numbers }) => ({ id, path, numbers: numbers ?? {} }));
    const read = await evaluations.readOfPart(session, partId, characteristics);
    for (const [i, { id, numbers }] of characteristics.entries()) {
      const given = limitsGivenBy(read[i]!);
      if (given) limits.set(id, attributesOf(given, isCounting(numbers) ? undefined : read[i]!.members.subgroups.size));
    }
  }
  return new ExportedLimits(limits);
}

/** Whether any evaluation gives limits: most plants have none, and then need not read the others. */
async function areLimitsGiven(session: Session): Promise<boolean> {
  const [row] = await session.query<{ given: boolean }>(
    `SELECT EXISTS (SELECT FROM evaluation WHERE state -> 'stages' -> -1 -> 'limits' ->> 'kind' = 'given') AS given`,
  );
  return row?.given === true;
}

function limitsGivenBy({ members, sources }: CharacteristicEvaluation): GivenLimits | undefined {
  const limits = members.stages.at(-1)?.limits;
  return limits?.kind === 'given' && sources.stages?.kind !== 'attribute' ? limits : undefined;
}

/** @param size of the subgroups whose means the limits are for; absent where their size is not known, so that `sigma` says nothing */
function attributesOf({ centerLine, sigma, lower, upper }: GivenLimits, size: number | undefined): Attributes {
  const { centerLine: center, lower: lowest, upper: highest } = CONTROL_LIMIT_ATTRIBUTES;
  const reach = sigma === undefined ? undefined : size === undefined ? undefined : (3 * sigma) / Math.sqrt(size);
  const below = lower ?? (reach === undefined ? mirrored(centerLine, upper) : centerLine - reach);
  const above = upper ?? (reach === undefined ? mirrored(centerLine, lower) : centerLine + reach);
  return {
    [center]: String(centerLine),
    ...(below !== undefined && { [lowest]: String(below) }),
    ...(above !== undefined && { [highest]: String(above) }),
  };
}

/** The limit on the other side, at the same distance. */
function mirrored(centerLine: number, limit: number | undefined): number | undefined {
  return limit === undefined ? undefined : 2 * centerLine - limit;
}
