import { defineTexts, textsIn, type Language } from '@sinebar/charts';
import { escaped } from '../messages/mail-message.ts';

/** Shown to somebody who follows the link of a mail. */
export type UnsubscribePage = { kind: 'question'; address: string } | { kind: 'ended' } | { kind: 'refused' };

const texts = defineTexts({
  en: {
    title: 'Mail about alarms',
    question: (address: string) => `End this subscription? Then it sends no mail to ${address} any more.`,
    end: 'End the subscription',
    ended: 'The subscription has ended. It sends no mail any more.',
    refused:
      'This link does not end the subscription: it is not complete, or the subscription was changed after the mail. Use the link of a newer mail, or the console.',
  },
  de: {
    title: 'Mails über Alarme',
    question: (address) => `Dieses Abonnement beenden? Es sendet dann keine Mails mehr an ${address}.`,
    end: 'Abonnement beenden',
    ended: 'Das Abonnement ist beendet. Es sendet keine Mails mehr.',
    refused:
      'Dieser Link beendet das Abonnement nicht: Er ist unvollständig, oder das Abonnement wurde nach der Mail geändert. Verwenden Sie den Link einer neueren Mail oder die Konsole.',
  },
});

const BODY = 'font-family:sans-serif;max-width:36rem;margin:3rem auto;padding:0 1rem;line-height:1.5';
const BUTTON = 'font:inherit;padding:.5rem 1rem';

/** Writes the page; the form sends to the address of the page what RFC 8058 has mail programs send. */
export function unsubscribePage(page: UnsubscribePage, language: Language): string {
  const words = textsIn(texts, language);
  const content = `<p>${escaped(page.kind === 'question' ? words.question(page.address) : words[page.kind])}</p>`;
  const form =
    page.kind === 'question'
      ? `<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button style="${BUTTON}">${words.end}</button></form>`
      : '';
  return `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <title>${words.title}</title>
  </head>
  <body style="${BODY}"><h1>${words.title}</h1>${content}${form}</body>
</html>
`;
}
