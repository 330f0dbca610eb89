import { defineTexts } from './texts.ts';

/** Names of models in tables. */
export const modelTexts = defineTexts({
  en: {
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
  },
  de: {
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
