import { defineTexts } from '../../design/language/language';

export const texts = defineTexts({
  en: { title: 'Compare' },
  de: { title: 'Vergleich' },
});
