import { defineTexts } from '../language/texts.ts';

export const texts = defineTexts({
  en: {
    deviation: (percent: string) => `${percent} % of the tolerance`,
    sparkline: 'Course of the last values in the tolerance',
    multiple: (name: string) => `Last values of ${name}`,
    index: (value: string, wanted: string) => `${value}, wanted ${wanted}`,
    spectrum: (out: string, warning: string, within: string, none: string) =>
      `Status of every characteristic in the order of the plan: ${out} out of tolerance, ${warning} beyond a warning limit, ${within} in limits, ${none} without data`,
    noLimits: (count: string) => `${count} without limits`,
  },
  de: {
    deviation: (percent: string) => `${percent} % der Toleranz`,
    sparkline: 'Verlauf der letzten Werte in der Toleranz',
    multiple: (name: string) => `Letzte Werte von ${name}`,
    index: (value: string, wanted: string) => `${value}, gefordert ${wanted}`,
    spectrum: (out: string, warning: string, within: string, none: string) =>
      `Status aller Merkmale in der Reihenfolge des Prüfplans: ${out} außer Toleranz, ${warning} über einer Warngrenze, ${within} in den Grenzen, ${none} ohne Werte`,
    noLimits: (count: string) => `${count} ohne Grenzen`,
  },
});
