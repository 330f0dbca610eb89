import { describe, expect, it } from '@jest/globals';
import { sortValues } from '../descriptive/quantiles.ts';
import { andersonDarling } from '../normality/anderson-darling.ts';
import { fitModel } from './fits.ts';
import type { ModelName, ModelParameters } from './fitted-model.ts';
import { evaluateCapability } from './model-capability.ts';
import { fittedModel } from './model-functions.ts';
import { limitsOf, MODELS_OF_R, type ModelOfR } from './models-of-r.fixture.ts';
import { stepOf } from './sample/value-steps.ts';
import { weightedSample } from './sample/weighted-sample.ts';

const PERCENTILES = [0.00135, 0.5, 0.99865];

/** Figures agree with R within this part of the range of the values, or of the figure itself. */
const DIFFERENCE = 0.005;

const sortedOf = (model: ModelOfR) => sortValues(Float64Array.from(model.values));

const fitOf = (model: ModelOfR, name: ModelName) => {
  const sorted = sortedOf(model);
  return fitModel(name, weightedSample(sorted), { boundary: model.naturalBoundary ?? undefined, resolution: stepOf(sorted) });
};

const relative = (found: number, expected: number) => Math.abs(found - expected) / Math.abs(expected);

describe.each(MODELS_OF_R)('$name', (model) => {
  const sorted = sortedOf(model);
  const range = sorted.at(-1)! - sorted[0]!;

  describe.each(Object.keys(model.fits) as ModelName[])('fitted as %s', (name) => {
    const expected = model.fits[name]!;
    const fit = fitOf(model, name)!;

    it('has at least the likelihood of R', () => {
      expect(fit.logLikelihood).toBeGreaterThan(expected.logLikelihood - 1e-6);
    });
    it("has the Akaike criterion of R's likelihood", () => expect(fit.aicc).toBeCloseTo(expected.aicc, 5));
    it('has the percentiles of R', () => {
      const percentiles = PERCENTILES.map((probability) => fittedModel(fit).quantile(probability));
      for (const [i, value] of percentiles.entries()) {
        expect(Math.abs(value - expected.percentiles[i]!) / range).toBeLessThan(DIFFERENCE);
      }
    });
    it.each(Object.keys(expected.parameters) as (keyof ModelParameters)[])('has the %s of R', (parameter) => {
      const found = fit.parameters[parameter]!;
      const wanted = expected.parameters[parameter]!;
      const size = parameter === 'threshold' ? range : Math.abs(wanted);
      expect(Math.abs(found - wanted) / size).toBeLessThan(DIFFERENCE);
    });
    it('finds the end of the search for a threshold where R does', () => {
      expect(fit.thresholdOrigin === 'atEdge').toBe(expected.thresholdAtEdge);
    });
  });

  it('has the p value of normality of R', () => {
    // R stops at the smallest p value of its formula.
    expect(Math.abs(andersonDarling(sorted)!.pValue - model.andersonDarlingNormal)).toBeLessThan(1e-6);
  });

  describe('evaluated', () => {
    const { capability, model: chosen } = evaluateCapability({
      values: Float64Array.from(model.values),
      limits: limitsOf(model),
      convention: 'aiagVda',
      confidence: 0.95,
      request: 'auto',
    });

    it('has the model of R', () => expect(chosen?.name).toBe(model.chosen));
    it('has the normal index of R', () => {
      expect(relative(capability!.normal.overall.pk!.value, model.normalIndex.pk)).toBeLessThan(1e-9);
    });
    it('has the index of R, within the tenth of a percent', () =>
      expect(relative(capability!.pk!.value, model.index.pk)).toBeLessThan(0.001));
    it('says where its index comes from', () => expect(capability!.pk!.from).toBe(model.chosen === 'normal' ? 'normal' : 'model'));
    it.each(['p', 'pl', 'pu'] as const)('has the %s of R', (key) => {
      const expected = model.index[key];
      const found = (capability!.model ?? capability!.normal.overall)[key]?.value;
      // R computes no width up to a natural boundary.
      if (expected === undefined) expect(key === 'p' || found === undefined).toBe(true);
      else expect(relative(found!, expected)).toBeLessThan(DIFFERENCE);
    });
    it('has its value within its interval', () => {
      const { value, lower, upper } = capability!.pk!;
      expect(lower).toBeLessThan(value);
      expect(upper).toBeGreaterThan(value);
    });
  });
});
