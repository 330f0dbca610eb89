import { defineTexts } from '../../design/language/language';

export const texts = defineTexts({
  en: { title: 'Catalogs' },
  de: { title: 'Kataloge' },
});
