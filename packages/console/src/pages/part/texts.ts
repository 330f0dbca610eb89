import { defineTexts } from '../../design/language/language';

export const texts = defineTexts({
  en: { title: 'Part' },
  de: { title: 'Teil' },
});
