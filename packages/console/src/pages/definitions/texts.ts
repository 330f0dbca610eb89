import { defineTexts } from '../../design/language/language';

export const texts = defineTexts({
  en: { title: 'Attribute definitions' },
  de: { title: 'Attributdefinitionen' },
});
