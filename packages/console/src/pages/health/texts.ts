import { defineTexts } from '../../design/language/language';

export const texts = defineTexts({
  en: { title: 'Health' },
  de: { title: 'Zustand' },
});
