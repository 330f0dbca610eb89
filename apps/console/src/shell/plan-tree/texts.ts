import { defineTexts } from '../../design/language/language';

export const texts = defineTexts({
  en: {
    plan: 'Plan',
    filter: 'Filter the plan',
    nothingFound: (text: string) => `No part or characteristic is called “${text}”.`,
    more: 'There are more; type more of the name.',
    foot: (parts: string, characteristics: string) =>
      `${parts} ${parts === '1' ? 'part' : 'parts'}, ${characteristics} ${characteristics === '1' ? 'characteristic' : 'characteristics'}`,
  },
  de: {
    plan: 'Plan',
    filter: 'Plan filtern',
    nothingFound: (text: string) => `Kein Teil oder Merkmal heißt „${text}“.`,
    more: 'Es gibt weitere; tippen Sie mehr vom Namen.',
    foot: (parts: string, characteristics: string) =>
      `${parts} ${parts === '1' ? 'Teil' : 'Teile'}, ${characteristics} ${characteristics === '1' ? 'Merkmal' : 'Merkmale'}`,
  },
});
