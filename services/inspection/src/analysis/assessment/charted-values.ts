import type { Session } from '@sinebar/database';
import type { Grouping } from '@sinebar/statistics';
import type { AnalysedCharacteristic } from '../analysed-characteristic.ts';
import { groupedSelection, type ValueSelectionQuery } from '../analysis-parameters.ts';
import { readIdentifiedValues, type IdentifiedValues, type ReadingOptions } from '../characteristic-values.ts';
import { readGroupedValues } from '../grouped-values.ts';
import type { EvaluatedRequest } from '../request/evaluated-request.ts';
import { countMissing } from '../request/measured-values.ts';

/** Values of a chart; `grouping` for subgroups. */
export type ChartedValues = IdentifiedValues & { readonly grouping?: Grouping; readonly missing: number };

/** Reads single values, or subgroups that keep their members. @throws ServiceError 400 for too many */
export async function readChartedValues(
  session: Session,
  characteristic: AnalysedCharacteristic,
  query: ValueSelectionQuery,
  { chart, stages }: Pick<EvaluatedRequest, 'chart' | 'stages'>,
  { caseSensitive, ...options }: ReadingOptions & { caseSensitive: boolean },
): Promise<ChartedValues> {
  if (chart.type === 'individuals') {
    const measured = await readIdentifiedValues(session, characteristic, options);
    return { ...measured, missing: countMissing(measured.values) };
  }
  const { subgroupSize: size, subgroupBy: attribute, ofValues = false } = chart;
  const selection = groupedSelection(characteristic.part.uuid, query, caseSensitive);
  const stageTimes = stages.flatMap(({ from }) => (from === undefined ? [] : [Date.parse(from)]));
  const rule = attribute === undefined ? { size, ofValues } : { attribute };
  return readGroupedValues(session, characteristic, rule, { ...options, selection, stageTimes });
}
