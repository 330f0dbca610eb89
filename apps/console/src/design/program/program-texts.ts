import { defineTexts } from '../language/language';

export const texts = defineTexts({
  en: {
    asProgram: 'As a program',
    copy: 'Copy',
    copied: 'Copied',
    save: 'Save as a file',
    close: 'Close',
    languages: 'Languages',
    underlined: 'underlined: chosen on this page',
    answer: 'Answer, shortened',
    others: 'The other requests of this page',
    copyOf: (title: string) => `Copy the request for ${title}`,
    notCopied: 'The browser refused to copy. Select the text and copy it by hand.',
  },
  de: {
    asProgram: 'Als Programm',
    copy: 'Kopieren',
    copied: 'Kopiert',
    save: 'Als Datei speichern',
    close: 'Schließen',
    languages: 'Sprachen',
    underlined: 'unterstrichen: auf dieser Seite gewählt',
    answer: 'Antwort, gekürzt',
    others: 'Die anderen Anfragen dieser Seite',
    copyOf: (title: string) => `Anfrage für ${title} kopieren`,
    notCopied: 'Der Browser hat das Kopieren verweigert. Markieren Sie den Text und kopieren Sie ihn von Hand.',
  },
});
