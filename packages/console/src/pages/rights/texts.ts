import { defineTexts } from '../../design/language/language';

export const texts = defineTexts({
  en: { title: 'Rights' },
  de: { title: 'Rechte' },
});
