import { defineTexts } from '../../design/language/language';

export const texts = defineTexts({
  en: { title: 'Parts' },
  de: { title: 'Teile' },
});
