import { defineTexts } from '../../design/language/language';

export const texts = defineTexts({
  en: { title: 'Files' },
  de: { title: 'Dateien' },
});
