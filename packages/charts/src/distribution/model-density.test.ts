import { describe, expect, it } from '@jest/globals';
import { modelDensity } from './model-density.ts';

describe('the density of a model', () => {
  // Values of the functions d… of R.
  it.each([
    ['normal', { location: 1, scale: 2 }, 2, 0.1760326634],
    ['lognormal', { location: 0, scale: 0.5 }, 1, 0.7978845608],
    ['weibull', { scale: 2, shape: 2 }, 2, 0.3678794412],
    ['gamma', { scale: 1, shape: 3 }, 2, 0.2706705665],
    ['gamma', { scale: 2, shape: 0.5 }, 2, 0.1037768744],
    ['rayleigh', { scale: 1 }, 1, 0.6065306597],
    ['foldedNormal', { location: 0, scale: 1 }, 1, 0.483941449],
    ['student', { location: 0, scale: 1, degreesOfFreedom: 5 }, 1, 0.2196797974],
  ] as const)('%s %j has at %d the value %d', (name, parameters, value, expected) => {
    expect(modelDensity({ name, parameters })(value)).toBeCloseTo(expected, 9);
  });
  it('begins at the threshold', () => {
    const density = modelDensity({ name: 'weibull', parameters: { scale: 2, shape: 2, threshold: 10 } });
    expect(density(12)).toBeCloseTo(0.3678794412, 9);
    expect([density(10), density(9)]).toEqual([0, 0]);
  });
  it('is turned around where the model is mirrored, whose threshold is that of the mirrored values', () => {
    const density = modelDensity({ name: 'gammaMirrored', parameters: { scale: 1, shape: 3, threshold: -10 } });
    expect(density(8)).toBeCloseTo(0.2706705665, 9);
    expect(density(11)).toBe(0);
  });
  it.each(['lognormal', 'weibull', 'gamma', 'rayleigh', 'foldedNormal', 'student'] as const)('of %s is 1 in all', (name) => {
    const density = modelDensity({ name, parameters: { location: 0.4, scale: 0.7, shape: 2.3, degreesOfFreedom: 8 } });
    const step = 0.002;
    let sum = 0;
    for (let value = -30 + step / 2; value < 60; value += step) sum += density(value) * step;
    expect(sum).toBeCloseTo(1, 4);
  });
});
