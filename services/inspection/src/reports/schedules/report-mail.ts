import type { KeptReport } from '@sinebar/contracts';
import { oneLine } from '../../alarms/telling/messages/alarm-lines.ts';
import { escaped, type MailMessage } from '../../alarms/telling/messages/mail-message.ts';
import type { Schedule } from './schedule-store.ts';

const TEXTS = {
  en: {
    attached: 'The report is attached.',
    tooLarge: 'The report is too large for a mail.',
    where: 'It is kept in Sinebar',
    notWhole: 'It is not whole: the user of the schedule may not see everything that belongs to it.',
    why: (name: string, user: string) =>
      `You get this mail because of the schedule “${name}”${user === '' ? '' : ` of ${user}`}, which can be changed in Sinebar.`,
  },
  de: {
    attached: 'Der Bericht hängt an.',
    tooLarge: 'Der Bericht ist zu groß für eine Mail.',
    where: 'Er ist in Sinebar aufbewahrt',
    notWhole: 'Er ist nicht vollständig: Der Benutzer des Zeitplans darf nicht alles sehen, was dazugehört.',
    why: (name: string, user: string) =>
      `Sie erhalten diese Mail wegen des Zeitplans „${name}“${user === '' ? '' : ` von ${user}`}, der in Sinebar geändert werden kann.`,
  },
} as const;

/** Writes the mail that a report is sent with. */
export function reportMail({
  schedule: { name, owner },
  report: { title, to, language, whole },
  isAttached,
  publicUrl,
}: {
  schedule: Schedule;
  report: KeptReport;
  isAttached: boolean;
  publicUrl: string | undefined;
}): MailMessage {
  const texts = TEXTS[language];
  const link = publicUrl === undefined ? undefined : `${publicUrl}/console/reports`;
  const kept = `${texts.where}${link === undefined ? '.' : `: ${link}`}`;
  const paragraphs = [
    isAttached ? texts.attached : texts.tooLarge,
    ...(whole ? [] : [texts.notWhole]),
    kept,
    texts.why(oneLine(name), oneLine(owner.name)),
  ];
  const html = paragraphs.map((text) => `<p>${escaped(text)}</p>`).join('');
  return {
    subject: `${oneLine(title)}, ${to.slice(0, 10)}`,
    text: paragraphs.join('\n\n'),
    html: `<!DOCTYPE html><html lang="${language}"><body style="font-family:sans-serif;font-size:14px">${html}</body></html>`,
  };
}
