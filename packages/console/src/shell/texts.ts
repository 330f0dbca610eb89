import { defineTexts } from '../design/language/language';

export const texts = defineTexts({
  en: {
    sections: 'Sections',
    parts: 'Parts',
    compare: 'Compare',
    measurements: 'Measurements',
    files: 'Files',
    live: 'Live',
    administration: 'Administration',
  },
  de: {
    sections: 'Bereiche',
    parts: 'Teile',
    compare: 'Vergleich',
    measurements: 'Messungen',
    files: 'Dateien',
    live: 'Live',
    administration: 'Verwaltung',
  },
});
