import { defineTexts } from '../../design/language/language';

export const texts = defineTexts({
  en: { title: 'Measurements' },
  de: { title: 'Messungen' },
});
