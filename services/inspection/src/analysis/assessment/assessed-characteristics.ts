import { createHash } from 'node:crypto';
import type { Session } from '@sinebar/database';
import type { ModelRequest, SpecificationLimits } from '@sinebar/statistics';
import { z } from 'zod';
import { mapInTurns } from '../../shared/turns.ts';
import { ruleOf } from '../../configuration/attribute-values.ts';
import type { Configuration } from '../../configuration/configuration.ts';
import { isCounting } from '../../evaluation/effective-evaluation.ts';
import type { EvaluationReader } from '../../evaluation/evaluation-reader.ts';
import {
  ANALYSED_COLUMNS,
  analysedCharacteristic,
  indexLimitsOf,
  type AnalysedCharacteristic,
  type AnalysedRow,
} from '../analysed-characteristic.ts';
import { chartQuery, valueSelectionQuery } from '../analysis-parameters.ts';
import { readSets } from '../figures/part-sets.ts';
import { evaluatedRequest, type EvaluatedRequest } from '../request/evaluated-request.ts';

/** A characteristic with everything besides its values that its assessment depends on. */
export interface AssessedCharacteristic {
  characteristic: AnalysedCharacteristic;
  request: EvaluatedRequest;
  required: number;
  /** Ids of measurements that are left out. */
  excluded: ReadonlySet<number>;
  /** Changes with what the choice of the model depends on. */
  modelBasis: string;
  /** Changes with what the assessment depends on; a whole number. */
  basis: number;
}

/** What requests say that select everything and replace nothing. */
export const EVERYTHING = z.object({ ...valueSelectionQuery, ...chartQuery }).parse({});

/** Reads characteristics of one part, in the order of their ids; those that do not exist are left out. */
export async function readAssessedCharacteristics(
  session: Session,
  { evaluations, configuration }: { evaluations: EvaluationReader; configuration: Configuration },
  partId: number,
  ids: readonly number[],
): Promise<AssessedCharacteristic[]> {
  const characteristics = await readAnalysedCharacteristics(session, partId, ids);
  const read = await evaluations.readOfPart(session, partId, characteristics);
  return mapInTurns(characteristics, (characteristic, i) => {
    const { members, excluded } = read[i]!;
    const hasAttribute = (key: number) => ruleOf(configuration, 'measurement', key) !== undefined;
    const request = evaluatedRequest(EVERYTHING, read[i]!, hasAttribute, isCounting(characteristic.numbers));
    const { required } = members;
    const modelBasis = modelBasisOf(request.model, indexLimitsOf(characteristic.limits), excluded);
    const basis = digest([modelBasis, request.counts ?? request.chart, request.stages, required]).readUIntBE(0, 6);
    return { characteristic, request, required, excluded, modelBasis, basis };
  });
}

/** Returns a text that changes with what the choice of a model depends on, besides the values. */
export function modelBasisOf(model: ModelRequest, limits: SpecificationLimits, excluded: ReadonlySet<number>): string {
  return digest([model, limits, [...excluded].sort((a, b) => a - b)]).toString('base64url');
}

function digest(parts: readonly unknown[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest().subarray(0, 12);
}

async function readAnalysedCharacteristics(session: Session, partId: number, ids: readonly number[]): Promise<AnalysedCharacteristic[]> {
  const rows = await session.query<AnalysedRow & Record<string, unknown>>(
    `SELECT ${ANALYSED_COLUMNS} FROM plan_item item JOIN plan_item part ON part.id = item.part_id
     WHERE item.part_id = $1 AND item.kind = 'characteristic' AND item.id = ANY($2::int[]) ORDER BY item.id`,
    [partId, ids],
  );
  const positions = new Map(rows.map(({ id }) => [id, new Map<number, number>()]));
  for (const { id: set, characteristicIds } of await readSets(session, [partId])) {
    for (const [index, id] of characteristicIds.entries()) positions.get(id)?.set(set, index + 1);
  }
  return mapInTurns(rows, (row) => analysedCharacteristic(row, positions.get(row.id)!));
}
