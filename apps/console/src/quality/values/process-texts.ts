import { defineTexts } from '../../design/language/language';

/** English names of models. German ones are shorter in tables than on the page of a characteristic. */
export const ENGLISH_MODELS = {
  model_normal: 'normal',
  model_lognormal: 'lognormal',
  model_weibull: 'Weibull',
  model_gamma: 'gamma',
  model_foldedNormal: 'folded normal',
  model_rayleigh: 'Rayleigh',
  model_student: 'Student',
  model_lognormalMirrored: 'mirrored lognormal',
  model_weibullMirrored: 'mirrored Weibull',
  model_gammaMirrored: 'mirrored gamma',
  model_foldedNormalMirrored: 'mirrored folded normal',
  model_rayleighMirrored: 'mirrored Rayleigh',
} as const;

/** Words for what may be expected of a process, since when it differs, and which model its index follows. */
export const processTexts = defineTexts({
  en: {
    capable: 'capable',
    uncertain: 'uncertain',
    notCapable: 'not capable',
    notStable: 'not stable',
    unknown: 'unknown',
    sincePoints: (time: string) => `a point is too far out, first on ${time}`,
    sinceRanges: (time: string) => `the spread is too wide, first on ${time}`,
    sinceStep: (time: string, from: string, to: string) => `the mean went from ${from} to ${to} on ${time}`,
    sinceDrift: (time: string, from: string, to: string) => `the mean has moved from ${from} to ${to} since ${time}`,
    asOf: (time: string) => `as of ${time}`,
    ...ENGLISH_MODELS,
  },
  de: {
    capable: 'fähig',
    uncertain: 'unsicher',
    notCapable: 'nicht fähig',
    notStable: 'nicht stabil',
    unknown: 'unbekannt',
    sincePoints: (time: string) => `ein Punkt liegt zu weit außen, zuerst am ${time}`,
    sinceRanges: (time: string) => `die Streuung ist zu groß, zuerst am ${time}`,
    sinceStep: (time: string, from: string, to: string) => `der Mittelwert sprang am ${time} von ${from} auf ${to}`,
    sinceDrift: (time: string, from: string, to: string) => `der Mittelwert wandert seit dem ${time} von ${from} nach ${to}`,
    asOf: (time: string) => `Stand ${time}`,
    model_normal: 'Normal',
    model_lognormal: 'Lognormal',
    model_weibull: 'Weibull',
    model_gamma: 'Gamma',
    model_foldedNormal: 'Betrag 1. Art',
    model_rayleigh: 'Rayleigh',
    model_student: 'Student',
    model_lognormalMirrored: 'Lognormal, gespiegelt',
    model_weibullMirrored: 'Weibull, gespiegelt',
    model_gammaMirrored: 'Gamma, gespiegelt',
    model_foldedNormalMirrored: 'Betrag 1. Art, gespiegelt',
    model_rayleighMirrored: 'Rayleigh, gespiegelt',
  },
});
