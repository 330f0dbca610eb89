import { modelTexts } from '@sinebar/charts';
import { defineTexts } from '../../design/language/language';

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
    ...modelTexts.en,
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
    ...modelTexts.de,
  },
});
