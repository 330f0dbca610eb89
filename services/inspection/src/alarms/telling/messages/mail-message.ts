import { oneLine, type AlarmLines, type MessageForm, type MessageLines } from './alarm-lines.ts';

/** A mail about alarms. */
export interface MailMessage {
  subject: string;
  text: string;
  html: string;
  /** Shown in the text of HTML by `cid:`. */
  picture?: { cid: string; png: Buffer } | undefined;
}

/** Alarms that a mail describes. */
export const MAX_MAIL_ALARMS = 20;

const CID = 'values@sinebar';
const BODY = 'font-family:sans-serif;font-size:14px;color:#1a1a1a;max-width:640px';
const CELL = 'padding:2px 12px 2px 0;vertical-align:top;overflow-wrap:anywhere';

/** Writes a mail. @param png values of the first alarm */
export function mailMessage(lines: MessageLines, form: MessageForm, png: Buffer | undefined): MailMessage {
  return {
    subject: lines.subject,
    text: textOf(lines, form),
    html: htmlOf(lines, form, png !== undefined),
    ...(png && { picture: { cid: CID, png } }),
  };
}

function textOf({ texts, alarms, further, inbox }: MessageLines, form: MessageForm): string {
  const paragraphs = alarms.map(({ name, place, what, facts, link }) =>
    [
      `${oneLine(name)}: ${what}`,
      ...(place === '' ? [] : [`${texts.part}: ${oneLine(place)}`]),
      ...facts.map((fact) => `${fact.name}: ${fact.text}`),
      ...(link === undefined ? [] : [`${texts.chart}: ${link}`]),
    ].join('\n'),
  );
  const end = [texts.why(oneLine(form.below)), ...(inbox === undefined ? [] : [`${texts.change}: ${subscriptionsPage(form)}`])];
  const rest = further === undefined ? [] : [inbox === undefined ? further : `${further} ${texts.inbox}: ${inbox}`];
  return [...(alarms.length === 0 ? [texts.test] : paragraphs), ...rest, end.join('\n')].join('\n\n');
}

function htmlOf({ texts, alarms, further, inbox }: MessageLines, form: MessageForm, hasPicture: boolean): string {
  const alarmOf = ({ name, place, what, facts, link: chart }: AlarmLines, i: number) => {
    const rows = [...(place === '' ? [] : [{ name: texts.part, text: place }]), ...facts]
      .map((fact) => `<tr><td style="${CELL};color:#666">${escaped(fact.name)}</td><td style="${CELL}">${withBreaks(fact.text)}</td></tr>`)
      .join('');
    const picture =
      hasPicture && i === 0 ? `<p><img src="cid:${CID}" width="608" alt="${escaped(texts.picture(name))}" style="max-width:100%"></p>` : '';
    const heading = `<h2 style="font-size:16px;overflow-wrap:anywhere">${escaped(`${name}: ${what}`)}</h2>`;
    return `${heading}<table style="border-collapse:collapse">${rows}</table>${picture}<p>${link(chart, texts.chart)}</p>`;
  };
  const content = alarms.length === 0 ? `<p>${escaped(texts.test)}</p>` : alarms.map(alarmOf).join('<hr>');
  const rest = further === undefined ? '' : `<p>${escaped(further)} ${link(inbox, texts.inbox)}</p>`;
  const change = link(inbox === undefined ? undefined : subscriptionsPage(form), texts.change);
  const end = `<p style="color:#666;font-size:12px">${escaped(texts.why(form.below))} ${change}</p>`;
  return `<!DOCTYPE html><html lang="${form.language}"><body style="${BODY}">${content}${rest}${end}</body></html>`;
}

function link(address: string | undefined, text: string): string {
  return address === undefined ? '' : `<a href="${escaped(address)}">${escaped(text)}</a>`;
}

/** The page on which a user changes subscriptions. */
function subscriptionsPage({ console }: Pick<MessageForm, 'console'>): string {
  return `${console ?? ''}/administration/subscriptions`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;' };

/** Escapes a text for HTML. */
export function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (letter) => ENTITIES[letter] ?? letter);
}

function withBreaks(text: string): string {
  return escaped(text).replaceAll(/\r?\n/g, '<br>');
}
