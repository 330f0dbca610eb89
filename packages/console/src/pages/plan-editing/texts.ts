import { defineTexts } from '../../design/language/language';

export const texts = defineTexts({
  en: { title: 'Plan' },
  de: { title: 'Plan' },
});
