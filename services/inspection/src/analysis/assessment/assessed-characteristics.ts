import { createHash } from 'node:crypto';
import type { Session } from '@sinebar/database';
import type { ModelRequest, SpecificationLimits } from '@sinebar/statistics';
import { z } from 'zod';
import { mapInTurns } from '../../shared/turns.ts';
import { ruleOf } from '../../configuration/attribute-values.ts';
import type { Configuration } from '../../configuration/configuration.ts';
import { isCounting } from '../../evaluation/effective-evaluation.ts';
import type { CharacteristicEvaluation, EvaluationReader } from '../../evaluation/evaluation-reader.ts';
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
  /** Responsible person, and what to do when something goes wrong; empty where the evaluation does not say it. */
  owner: string;
  reaction: string;
  /** Points that are fine after which an alarm closes by itself. */
  autoClose: number;
  /** Whether moving ranges raise alarms: only where somebody has chosen the rules (docs/decisions/0072-few-alarms-soon.md). */
  areRangesJudged: boolean;
  /** Ids of measurements that are left out. */
  excluded: ReadonlySet<number>;
  /** Changes with what the choice of the model depends on. */
  modelBasis: string;
  /** Changes with what the assessment depends on; a whole number. */
  basis: number;
}

const DEFAULT_AUTO_CLOSE = 7;

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
  const hasAttribute = (key: number) => ruleOf(configuration, 'measurement', key) !== undefined;
  /** Requests by the members that characteristics share; whether they count is part of what they share. */
  const requests = new Map<CharacteristicEvaluation['members'], { request: EvaluatedRequest; digested: string }>();
  const requestOf = (evaluation: CharacteristicEvaluation, areCounts: boolean) => {
    let known = requests.get(evaluation.members);
    if (!known) {
      const request = evaluatedRequest(EVERYTHING, evaluation, hasAttribute, areCounts);
      const digested = JSON.stringify([request.counts ?? request.chart, request.stages, evaluation.members.required]).slice(1);
      requests.set(evaluation.members, (known = { request, digested }));
    }
    return known;
  };
  return mapInTurns(characteristics, (characteristic, i) => {
    const { members, sources, excluded } = read[i]!;
    const areRangesJudged = sources.rules?.kind !== 'server';
    const { request, digested } = requestOf(read[i]!, isCounting(characteristic.numbers));
    const { required, owner = '', reaction = '', autoClose = DEFAULT_AUTO_CLOSE } = members;
    const modelBasis = modelBasisOf(request.model, indexLimitsOf(characteristic.limits), excluded);
    const basis = digestOf(`["${modelBasis}",${digested}`).readUIntBE(0, 6);
    return { characteristic, request, required, owner, reaction, autoClose, areRangesJudged, excluded, modelBasis, basis };
  });
}

/** Returns a text that changes with what the choice of a model depends on, besides the values. */
export function modelBasisOf(model: ModelRequest, limits: SpecificationLimits, excluded: ReadonlySet<number>): string {
  return digest([model, limits, [...excluded].sort((a, b) => a - b)]).toString('base64url');
}

function digest(parts: readonly unknown[]): Buffer {
  return digestOf(JSON.stringify(parts));
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest().subarray(0, 12);
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
