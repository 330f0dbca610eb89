import type { CharacteristicSummary } from '@sinebar/contracts';

type Model = NonNullable<NonNullable<CharacteristicSummary['capability']>['model']>;

const LOG_ROOT_TWO_PI = 0.5 * Math.log(2 * Math.PI);

/** The density of a fitted model, by the parameters that the server names. */
export function modelDensity({ name, parameters }: Pick<Model, 'name' | 'parameters'>): (value: number) => number {
  const mirror = name.endsWith('Mirrored') ? -1 : 1;
  const logDensity = LOG_DENSITIES[name.replace('Mirrored', '') as keyof typeof LOG_DENSITIES](parameters);
  const { threshold = 0 } = parameters;
  return (value) => Math.exp(logDensity(mirror * value - threshold));
}

type LogDensity = (parameters: Model['parameters']) => (distance: number) => number;

/** Logarithms, so that no factor leaves the range of a double; −Infinity where the model has no values. */
const LOG_DENSITIES = {
  normal:
    ({ location = 0, scale }) =>
    (x) =>
      logNormal((x - location) / scale) - Math.log(scale),
  student: ({ location = 0, scale, degreesOfFreedom: degrees = 1 }) => {
    const constant = logGamma((degrees + 1) / 2) - logGamma(degrees / 2) - Math.log(Math.PI * degrees) / 2 - Math.log(scale);
    return (x) => constant - ((degrees + 1) / 2) * Math.log1p(((x - location) / scale) ** 2 / degrees);
  },
  lognormal: ({ location = 0, scale }) => positive((x) => logNormal((Math.log(x) - location) / scale) - Math.log(scale) - Math.log(x)),
  weibull: ({ scale, shape = 1 }) => logWeibull(scale, shape),
  // Rayleigh is Weibull of shape 2, whose scale is √2 times as large.
  rayleigh: ({ scale }) => logWeibull(scale * Math.SQRT2, 2),
  gamma: ({ scale, shape = 1 }) => {
    const constant = -logGamma(shape) - Math.log(scale);
    return positive((x) => constant + (shape - 1) * Math.log(x / scale) - x / scale);
  },
  foldedNormal: ({ location = 0, scale }) =>
    positive((x) => logNormal((x - location) / scale) - Math.log(scale) + Math.log1p(Math.exp((-2 * x * location) / scale ** 2))),
} as const satisfies Record<string, LogDensity>;

function positive(logDensity: (distance: number) => number): (distance: number) => number {
  return (distance) => (distance > 0 ? logDensity(distance) : -Infinity);
}

function logNormal(score: number): number {
  return -(score * score) / 2 - LOG_ROOT_TWO_PI;
}

function logWeibull(scale: number, shape: number): (distance: number) => number {
  return positive((x) => Math.log(shape / scale) + (shape - 1) * Math.log(x / scale) - (x / scale) ** shape);
}

/** Argument from which the terms of Stirling's series that are left out are below 1e-10. */
const MIN_STIRLING = 10;

/** ln Γ(x) for x > 0, by Stirling's series: to ten digits, while a library would add a dozen packages to the page. */
function logGamma(x: number): number {
  if (x < MIN_STIRLING) return logGamma(x + 1) - Math.log(x);
  return (x - 0.5) * Math.log(x) - x + LOG_ROOT_TWO_PI + 1 / (12 * x) - 1 / (360 * x ** 3) + 1 / (1260 * x ** 5);
}
