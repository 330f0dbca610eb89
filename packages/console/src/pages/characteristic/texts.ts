import { defineTexts } from '../../design/language/language';

export const texts = defineTexts({
  en: { title: 'Characteristic' },
  de: { title: 'Merkmal' },
});
