import type { Session } from '@sinebar/database';
import type { ModelRequest, Moments } from '@sinebar/statistics';
import { excludedOf, readExcludedOfParts } from '../../evaluation/evaluation-reader.ts';
import { indexLimitsOf, type AnalysedCharacteristic } from '../analysed-characteristic.ts';
import { modelBasisOf } from '../assessment/assessed-characteristics.ts';
import type { EarlierModel } from '../calculations/tasks.ts';
import { PartFigures } from '../figures/part-figures.ts';
import { readKeptModels, readPendingParts, type KeptModelState } from './kept-assessment-store.ts';
import { areFiguresKept, readTotals } from './kept-figures-store.ts';

/** What is kept of a characteristic, for its page. */
export interface KeptCharacteristic {
  earlier: EarlierModel | undefined;
  /** When the model was fitted, ISO 8601. */
  fittedAt: string | undefined;
  /** Moments as tables show them; absent while they are older than the values. */
  moments: Pick<Moments, 'count' | 'mean' | 'standardDeviation'> | undefined;
}

/** Returns the model that a characteristic had before, as far as it still says something. @param basis see `modelBasisOf` */
export function earlierModel(state: KeptModelState | undefined, basis: string, request: ModelRequest): EarlierModel | undefined {
  if (state?.request !== request) return undefined;
  const { model } = state;
  return { ...(state.basis === basis && { kept: model }), ...(model.fit && { name: model.fit.name }) };
}

/** Reads what is kept of a characteristic whose values are all selected. The session is a snapshot. */
export async function readKeptCharacteristic(
  session: Session,
  { id, part, limits }: AnalysedCharacteristic,
  request: ModelRequest,
): Promise<KeptCharacteristic> {
  const state = (await readKeptModels(session, [id])).get(id);
  const excluded = state ? excludedOf(await readExcludedOfParts(session, [part.id]), id) : new Set<number>();
  return {
    earlier: earlierModel(state, modelBasisOf(request, indexLimitsOf(limits), excluded), request),
    fittedAt: state?.fittedAt,
    moments: await readMoments(session, id, part.id),
  };
}

async function readMoments(session: Session, id: number, partId: number): Promise<KeptCharacteristic['moments']> {
  if (!(await areFiguresKept(session)) || (await readPendingParts(session, [partId])).size > 0) return undefined;
  const totals = (await readTotals(session, [partId], 'leading')).get(partId);
  if (!totals) return undefined;
  const column = new PartFigures(totals.ids, totals.figures).columnOf(id);
  if (column === undefined) return undefined;
  const standardDeviation = totals.figures.standardDeviation(column);
  return {
    count: totals.figures.count[column]!,
    mean: totals.figures.mean[column]!,
    ...(standardDeviation !== undefined && { standardDeviation }),
  };
}
