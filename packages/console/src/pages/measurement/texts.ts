import { defineTexts } from '../../design/language/language';

export const texts = defineTexts({
  en: { title: 'Measurement' },
  de: { title: 'Messung' },
});
