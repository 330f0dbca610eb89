import { defineTexts } from '../../design/language/language';

export const texts = defineTexts({
  en: { title: 'Live' },
  de: { title: 'Live' },
});
