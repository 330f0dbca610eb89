import type { ModelFit } from './fits.ts';
import type { ModelParameters } from './fitted-model.ts';

/** The parameters around a fit as numbers that are 0 at the fit and of the size of one standard error times √n. */
export interface Coordinates {
  readonly dimension: number;
  parametersAt(moves: readonly number[]): ModelParameters;
}

/** A Weibull threshold is estimated faster than the other parameters below this shape, and no longer normally (Smith 1985). */
const MIN_REGULAR_SHAPE = 2;

/** Degrees of freedom at an end of their range are not free. */
const FREE_DEGREES = [2.001, 999] as const;

/** @param smallest the smallest value of the sample in the direction of the model */
export function coordinatesOf(fit: ModelFit, smallest: number): Coordinates {
  const { parameters, thresholdOrigin } = fit;
  const { location, scale, shape, degreesOfFreedom, threshold } = parameters;
  const hasThreshold = thresholdOrigin === 'estimated' && (shape === undefined || shape >= MIN_REGULAR_SHAPE);
  const shiftAt = (move: number) => (hasThreshold ? (smallest - threshold!) * Math.expm1(move) : 0);
  const withThreshold = (shift: number) => (threshold === undefined ? {} : { threshold: threshold - shift });
  switch (fit.name) {
    case 'weibull':
    case 'weibullMirrored':
      return {
        dimension: hasThreshold ? 3 : 2,
        // A threshold that moves takes scale and shape along, so that the middle of the distribution stays.
        parametersAt([first, second, third = 0]) {
          const shift = shiftAt(third);
          const moved = (shape! * (scale + shift)) / scale;
          return { shape: moved * Math.exp(second!), scale: (scale + shift) * Math.exp(first! / moved), ...withThreshold(shift) };
        },
      };
    case 'lognormal':
    case 'lognormalMirrored':
      return {
        dimension: hasThreshold ? 3 : 2,
        parametersAt([first, second, third = 0]) {
          const shift = shiftAt(third);
          const median = Math.exp(location!);
          const moved = (scale * median) / (median + shift);
          return { location: Math.log(median + shift) + moved * first!, scale: moved * Math.exp(second!), ...withThreshold(shift) };
        },
      };
    case 'gamma':
    case 'gammaMirrored':
      return {
        dimension: 2,
        parametersAt([first, second]) {
          const moved = shape! * Math.exp(second!);
          return { shape: moved, scale: (shape! * scale * Math.exp(first! / Math.sqrt(shape!))) / moved, ...withThreshold(0) };
        },
      };
    case 'rayleigh':
    case 'rayleighMirrored':
      return { dimension: 1, parametersAt: ([first]) => ({ scale: scale * Math.exp(first!), ...withThreshold(0) }) };
    case 'student': {
      const isFree = degreesOfFreedom! > FREE_DEGREES[0] && degreesOfFreedom! < FREE_DEGREES[1];
      return {
        dimension: isFree ? 3 : 2,
        parametersAt: ([first, second, third = 0]) => ({
          location: location! + first! * scale,
          scale: scale * Math.exp(second!),
          degreesOfFreedom: degreesOfFreedom! * Math.exp(third),
        }),
      };
    }
    case 'normal':
    case 'foldedNormal':
    case 'foldedNormalMirrored':
      return {
        dimension: 2,
        parametersAt: ([first, second]) => ({
          location: location! + first! * scale,
          scale: scale * Math.exp(second!),
          ...withThreshold(0),
        }),
      };
  }
}
