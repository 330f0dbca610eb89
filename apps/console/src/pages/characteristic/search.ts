import { EVALUATION_MODELS } from '@sinebar/client';
import { splitBy } from '../../quality/groups/split';
import { oneOf, searchParameters, text, time, whole, yes } from '../../server/search-parameters';

/** Charts that a reader can choose. */
export const CHARTS = ['individuals', 'xbarR', 'xbarS', 'ewma', 'cusum'] as const;

/** Everything that defines the view, besides the path. What is absent follows from the evaluation. */
export const search = searchParameters({
  /** Range of the values: times of measurement, and only the newest. */
  from: time,
  to: time,
  newest: whole(1, 5_000_000),
  /** Stretch of the chart that is in view. */
  viewFrom: time,
  viewTo: time,
  /** Size of subgroups, or the key of the measurement attribute whose value a subgroup shares. */
  subgroup: whole(1, 500),
  by: whole(0, 65_535),
  chart: oneOf(CHARTS),
  /** Names of run rules, with commas; `none` for none. */
  rules: text,
  model: oneOf(EVALUATION_MODELS),
  baselineFrom: time,
  baselineTo: time,
  /** `<uuid of a measurement>:<reason>`, with commas; the reason is encoded. */
  exclude: text,
  condition: text,
  /** What the values are split by: the key of a measurement attribute, or shift, day or week. */
  split: splitBy,
  convention: oneOf(['aiagVda', 'minitab']),
  sigma: oneOf(['movingRange', 'medianMovingRange', 'rbar', 'sbar', 'pooled']),
  confidence: oneOf(['0.9', '0.95', '0.99']),
  follow: yes,
});

export type CharacteristicSearch = ReturnType<typeof search>;
