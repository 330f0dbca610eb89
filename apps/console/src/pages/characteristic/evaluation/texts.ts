import { defineTexts } from '../../../design/language/language';

/** Words of the panel that changes the evaluation, and of leaving out a value. */
export const texts = defineTexts({
  en: {
    excludeTitle: 'Exclude this value?',
    excludeText: (value: string, time: string) => `${value} of ${time} goes out of all limits and figures. The measurement itself stays.`,
    exclude: 'Exclude',
    reason: 'Reason',
    forWhom: 'For whom',
    forEverybody: 'for everybody, kept on the server',
    forThisView: 'only in this view and its link',
    missingRight: (path: string) => `For everybody the right plan:write for ${path} is needed.`,
    needsReason: 'What holds for everybody needs a reason.',
  },
  de: {
    excludeTitle: 'Diesen Wert ausschließen?',
    excludeText: (value: string, time: string) => `${value} vom ${time} geht aus allen Grenzen und Kennzahlen. Die Messung selbst bleibt.`,
    exclude: 'Ausschließen',
    reason: 'Grund',
    forWhom: 'Für wen',
    forEverybody: 'für alle, auf dem Server behalten',
    forThisView: 'nur in dieser Ansicht und ihrem Link',
    missingRight: (path: string) => `Für alle ist das Recht plan:write für ${path} nötig.`,
    needsReason: 'Was für alle gilt, braucht einen Grund.',
  },
});
