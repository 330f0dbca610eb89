import { z } from 'zod';
import {
  controlLimitsSchema,
  countingIndexSchema,
  indexSchema,
  instabilitySchema,
  limitsSchema,
  modelNameSchema,
  notes,
  overridden,
  time,
  uuid,
  valueStatusSchema,
} from './analysis/shapes.ts';
import { countChartSchema, countRateSchema, countSeriesSchema } from './analysis/counts.ts';
import { groupedSchema } from './analysis/groups.ts';

const chartSchema = z
  .object({
    type: z.enum(['individuals', 'xbarR', 'xbarS']),
    subgroupSize: z.int().describe('Values of a complete subgroup; of subgroups by an attribute, the most frequent size'),
    sigmaMethod: z.enum(['movingRange', 'medianMovingRange', 'rbar', 'sbar', 'pooled']),
    sigma: z.number().describe('Spread within subgroups or between neighbours'),
    location: controlLimitsSchema.describe('Single values, or means of subgroups'),
    variation: controlLimitsSchema.describe('Moving ranges, ranges, or standard deviations'),
    scores: z
      .object({ model: modelNameSchema })
      .optional()
      .describe(
        'Single values whose model is not normal: the limits of location follow from their normal scores, and `variation` is that of the scores',
      ),
    baseline: z
      .object({ from: time.optional(), to: time.optional(), count: z.int() })
      .describe('The values that the limits were computed from'),
  })
  .meta({ id: 'ControlChart' });
export type AnalysisChart = z.infer<typeof chartSchema>;

const indicesSchema = z.object({
  sigma: z.number().optional(),
  p: indexSchema.optional(),
  pk: indexSchema.optional(),
  pl: indexSchema.optional(),
  pu: indexSchema.optional(),
  pm: indexSchema.optional(),
});

const partsPerMillionSchema = z.object({ below: z.number().optional(), above: z.number().optional(), total: z.number() });

const stabilityReasonsSchema = z.object({
  farthest: z.enum(['location', 'variation', 'both']).optional().describe('Charts with a point that is too far out'),
  rules: z.array(z.string()).optional().describe('Rules that are broken more often than chance explains'),
  step: z.literal(true).optional().describe('The mean has a step'),
});

const modelSchema = z
  .object({
    name: modelNameSchema,
    chosenBy: z.enum(['auto', 'evaluation', 'request']),
    parameters: z
      .object({
        location: z.number().optional(),
        scale: z.number(),
        shape: z.number().optional(),
        degreesOfFreedom: z.number().optional(),
        threshold: z.number().optional().describe('Where the model begins; of a mirrored one that of the mirrored values'),
      })
      .describe('Of lognormal, location and scale are those of the natural logarithms'),
    logLikelihood: z.number(),
    aicc: z.number().describe("Akaike's criterion for small samples; the smallest one is best"),
    percentiles: z.object({ low: z.number(), median: z.number(), high: z.number() }).describe('0.135, 50 and 99.865 %'),
    p: indexSchema.optional(),
    pk: indexSchema.optional(),
    pl: indexSchema.optional(),
    pu: indexSchema.optional(),
    andersonDarling: z
      .object({ statistic: z.number(), pValue: z.number().optional() })
      .optional()
      .describe('Of the fit; without a p value where no table holds for the model'),
    expectedPartsPerMillion: partsPerMillionSchema.optional(),
    drawn: z.int().optional().describe('Values that were drawn for the fit, where not all were taken'),
    asOf: time.optional().describe('When a kept model was fitted; absent where it was fitted for this answer'),
    candidates: z.array(z.object({ name: modelNameSchema, aicc: z.number(), pk: z.number().optional() })).describe('The best first'),
  })
  .meta({ id: 'CharacteristicModel' });

const capabilitySchema = z
  .object({
    convention: z.enum(['aiagVda', 'minitab']),
    confidence: z.number(),
    pk: countingIndexSchema.optional().describe('The index that counts; its interval takes in the doubt about the model'),
    normal: z
      .object({ overall: indicesSchema, within: indicesSchema.optional() })
      .describe('Indices as of normal values: of the whole spread, and of the spread within'),
    model: modelSchema.optional().describe('The fitted model and its indices; absent where the model is normal'),
  })
  .meta({ id: 'Capability' });

const toleranceBoundsSchema = z.object({ factor: z.number(), lower: z.number(), upper: z.number() });

const toleranceIntervalSchema = z
  .object({
    content: z.number(),
    confidence: z.number(),
    twoSided: toleranceBoundsSchema,
    oneSided: toleranceBoundsSchema.describe('Each bound for itself'),
  })
  .meta({ id: 'ToleranceInterval', description: 'Bounds that hold a share `content` of all values, for normal values' });

/** Figures of the values of one characteristic. A figure that is not defined is absent. */
export const characteristicSummarySchema = z
  .object({
    characteristicUuid: uuid,
    partUuid: uuid,
    path: z.string(),
    count: z.int().describe('Values with a number'),
    missing: z.int().describe('Values without a number'),
    firstTime: time.optional(),
    lastTime: time.optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    mean: z.number().optional(),
    median: z.number().optional(),
    lowerQuartile: z.number().optional(),
    upperQuartile: z.number().optional(),
    standardDeviation: z.number().optional(),
    limits: limitsSchema,
    counts: z.object({ inLimits: z.int(), inWarning: z.int(), belowTolerance: z.int(), aboveTolerance: z.int() }),
    chart: chartSchema.optional(),
    countChart: countChartSchema.optional().describe('In place of `chart` for a characteristic that counts'),
    rate: countRateSchema.optional().describe('In place of `capability` for a characteristic that counts'),
    capability: capabilitySchema.optional(),
    partsPerMillion: z
      .object({
        observed: partsPerMillionSchema,
        expectedOverall: partsPerMillionSchema.optional(),
        expectedWithin: partsPerMillionSchema.optional(),
      })
      .optional(),
    toleranceInterval: toleranceIntervalSchema.optional(),
    normality: z.object({ test: z.literal('andersonDarling'), statistic: z.number(), adjusted: z.number(), pValue: z.number() }).optional(),
    assessment: z.object({
      stable: z
        .enum(['yes', 'nearly', 'no', 'unknown'])
        .describe('nearly: points lie beyond the limits, but no farther or more of them than chance explains'),
      reasons: stabilityReasonsSchema.optional().describe('Why a process is not stable'),
      since: instabilitySchema.optional().describe('Where a process that is not stable began to differ'),
      normal: z.enum(['yes', 'nearly', 'no', 'unknown']),
      capable: z
        .enum(['yes', 'uncertain', 'no', 'notStable', 'unknown'])
        .describe('notStable: the index would do, but the process is not stable'),
      required: z.object({ value: z.number(), source: z.enum(['evaluation', 'attribute', 'setting', 'default']) }),
    }),
    box: z
      .object({
        lowerWhisker: z.number(),
        upperWhisker: z.number(),
        outliers: z.array(z.number()).describe('At most 200, the farthest first'),
      })
      .optional(),
    histogram: z.object({ edges: z.array(z.number()), counts: z.array(z.int()) }).optional(),
    overridden,
    notes,
  })
  .meta({ id: 'CharacteristicSummary' });
export type CharacteristicSummary = z.infer<typeof characteristicSummarySchema>;

const group = z.int().optional().describe('Index in `grouped.groups`; absent where values of several groups are joined');

const pointSchema = z.object({ time: time.optional(), value: z.number(), measurementUuid: uuid, group });
const judgedPointSchema = pointSchema.extend({ status: valueStatusSchema });

const memoryChartSchema = z.object({
  type: z.enum(['ewma', 'cusum']),
  target: z.number(),
  sigma: z.number().describe('Standard deviation of single values'),
  lambda: z.number().optional(),
  width: z.number().optional().describe('Distance of the limits of EWMA in standard deviations'),
  k: z.number().optional(),
  h: z.number().optional().describe('Limit of both sums of CUSUM'),
  points: z
    .array(
      z.object({
        time: time.optional(),
        measurementUuid: uuid,
        value: z.number().optional().describe('Of EWMA, with its limits'),
        lower: z.number().optional(),
        upper: z.number().optional(),
        above: z.number().optional().describe('Sums of CUSUM in standard deviations of a point'),
        below: z.number().optional(),
        isBeyond: z.boolean(),
      }),
    )
    .describe('The newest points that are shown, as many as asked for'),
});

/** Values of one characteristic over time, oldest first, with its control chart. */
export const characteristicSeriesSchema = z
  .object({
    count: z.int().describe('All selected values with a number'),
    offset: z.int().describe('Points of the chart before the first one that is sent'),
    kind: z.enum(['values', 'buckets']).describe('Single values where they fit, else groups of consecutive ones'),
    values: z
      .array(judgedPointSchema.extend({ score: z.number().optional().describe('Normal score, where `chart.scores` is present') }))
      .optional(),
    newest: z.array(judgedPointSchema).optional().describe('Newest single values, as many as asked for'),
    subgroups: z
      .array(
        z.object({
          time: time.optional().describe('Of the first measurement'),
          mean: z.number(),
          variation: z.number().optional(),
          count: z.int(),
          group,
          measurementUuids: z.array(uuid).describe('Measurements with a value that is not left out'),
          limits: z
            .object({ location: controlLimitsSchema, variation: controlLimitsSchema.optional() })
            .optional()
            .describe('Limits of a subgroup whose size is not that of the chart; one value has no variation'),
        }),
      )
      .optional(),
    buckets: z
      .array(
        z.object({
          from: time.optional(),
          to: time.optional(),
          count: z.int(),
          group,
          minimum: z.number(),
          maximum: z.number(),
          mean: z.number(),
          first: z.number(),
          last: z.number(),
          movingRange: z
            .object({ minimum: z.number(), maximum: z.number(), mean: z.number() })
            .optional()
            .describe('Distance of each value from the one before it, of scores where `chart.scores` is present; only for individuals'),
          outOfTolerance: z.array(pointSchema),
        }),
      )
      .optional(),
    grouped: groupedSchema.optional().describe('What the points were asked to be grouped by'),
    chart: chartSchema.optional(),
    countChart: countSeriesSchema.optional().describe('In place of `chart` for a characteristic that counts'),
    stages: z
      .array(
        z.object({
          from: time.optional().describe('Absent for the first stage'),
          reason: z.string().optional(),
          kind: z.enum(['computed', 'baseline', 'given']).describe('Where the limits come from'),
          offset: z.int().describe('First point of the stage, over all points'),
          count: z.int().describe('Values of the stage; without any, limits that are computed are absent'),
          chart: chartSchema.optional(),
          countChart: countChartSchema.optional(),
        }),
      )
      .optional()
      .describe('Stages of the evaluation with the limits of each, in ascending time; `chart` is that of the last one'),
    memory: memoryChartSchema.optional().describe('The EWMA or CUSUM chart that was asked for; `chart` is the one behind it'),
    ruleHits: z.array(
      z.object({
        rule: z.string(),
        on: z.enum(['location', 'variation']),
        index: z.int().describe('0-based point of the chart, over all points'),
        time: time.optional(),
        measurementUuid: uuid,
      }),
    ),
    overridden,
    notes,
  })
  .meta({ id: 'CharacteristicSeries' });
export type CharacteristicSeries = z.infer<typeof characteristicSeriesSchema>;

const lineSchema = z.object({ slope: z.number(), intercept: z.number() });

export const probabilityPlotSchema = z
  .object({
    count: z.int(),
    points: z.array(z.object({ value: z.number(), quantile: z.number().describe('Of the standard normal distribution') })),
    line: lineSchema.optional(),
    notes,
  })
  .meta({ id: 'ProbabilityPlot' });
export type ProbabilityPlotAnswer = z.infer<typeof probabilityPlotSchema>;

export const correlationSchema = z
  .object({
    count: z.int().describe('Measurements with both values'),
    pearson: z.object({ value: z.number(), lower: z.number().optional(), upper: z.number().optional() }).optional(),
    spearman: z.number().optional(),
    line: lineSchema.optional(),
    points: z.array(z.tuple([z.number(), z.number()])).describe('At most 5,000, evenly thinned out'),
    notes,
  })
  .meta({ id: 'Correlation' });
export type CorrelationAnswer = z.infer<typeof correlationSchema>;
