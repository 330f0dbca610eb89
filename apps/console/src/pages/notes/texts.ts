import { defineTexts } from '../../design/language/language';

export const texts = defineTexts({
  en: {
    filter: 'Filter by text, cause, user or item',
    nothingFound: 'No note has these words in it.',
    notes: 'notes',
    explanation: 'Notes about this part and everything below it.',
    headPath: 'item',
    headMeasurement: 'measurement',
    headFrom: 'from',
    headTo: 'to',
    headText: 'text',
    headCause: 'cause',
    headUser: 'user',
    headTime: 'time',
  },
  de: {
    filter: 'Filtern nach Text, Ursache, Benutzer oder Merkmal',
    nothingFound: 'Keine Notiz enthält diese Wörter.',
    notes: 'Notizen',
    explanation: 'Notizen zu diesem Teil und allem darunter.',
    headPath: 'Merkmal',
    headMeasurement: 'Messung',
    headFrom: 'von',
    headTo: 'bis',
    headText: 'Text',
    headCause: 'Ursache',
    headUser: 'Benutzer',
    headTime: 'Zeit',
  },
});
