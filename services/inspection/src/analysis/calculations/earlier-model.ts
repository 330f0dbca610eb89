import { chooseModel, isOutdated, type ModelChoice, type Moments } from '@sinebar/statistics';
import type { EarlierModel, ModelChoiceRequest } from './tasks.ts';

/** Takes the kept model, or chooses one where there is none or it is outdated. */
export function chooseWithEarlier(
  values: Float64Array,
  moments: Moments | undefined,
  { earlier, ...request }: ModelChoiceRequest & { readonly earlier?: EarlierModel | undefined },
): { choice: ModelChoice; isKept: boolean } {
  if (earlier?.kept && moments && !isOutdated(earlier.kept, moments)) {
    return { choice: chooseModel({ values, moments, ...request, chosen: earlier.kept }), isKept: true };
  }
  return { choice: chooseModel({ values, moments, ...request, kept: earlier?.name }), isKept: false };
}
