import { defineTexts } from '../../design/language/language';

export const texts = defineTexts({
  en: { title: 'Chart' },
  de: { title: 'Karte' },
});
