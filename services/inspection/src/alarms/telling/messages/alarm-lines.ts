import { localeOf, readRule, ruleMeaning, type Locale } from '@sinebar/charts';
import type { MessageLanguage } from '@sinebar/contracts';
import { messageTexts, statusText, type MessageTexts } from './alarm-texts.ts';
import type { Told, ToldAlarm } from './told-alarms.ts';

/** Form of a message. */
export interface MessageForm {
  language: MessageLanguage;
  /** Zone of the plant. */
  zone: string;
  /** Address of the console without a trailing slash; `undefined` leaves links out. */
  console: string | undefined;
  /** Path of the part of the subscription, as people read it. */
  below: string;
  isEscalation: boolean;
}

/** An alarm in words. */
export interface AlarmLines {
  /** Name of the characteristic, or of the part. */
  name: string;
  /** Names of the parts above it. */
  place: string;
  what: string;
  /** Further lines with what they name. */
  facts: readonly { name: string; text: string }[];
  link: string | undefined;
}

/** A message in words, without a form. */
export interface MessageLines {
  subject: string;
  texts: MessageTexts;
  alarms: readonly AlarmLines[];
  /** Sentence about alarms that are not described. */
  further: string | undefined;
  /** Address of the list of alarms. */
  inbox: string | undefined;
}

const SEPARATOR = ' / ';
const MAX_SUBJECT = 200;
/** Milliseconds around the points of an alarm that the linked chart shows. */
const AROUND_MS = 3_600_000;

/** Puts alarms into words. @param limit most alarms that are described */
export function messageLines({ count, described }: Told, form: MessageForm, limit: number): MessageLines {
  const texts = messageTexts(form.language);
  const locale = localeOf(form.language);
  const alarms = described.slice(0, limit).map((told) => alarmLines(told, form, texts, locale));
  const further = count - alarms.length;
  return {
    subject: subjectOf(alarms[0], count, form, texts, locale),
    texts,
    alarms,
    further: further > 0 ? texts.further(locale.formats.count(further)) : undefined,
    inbox: form.console === undefined ? undefined : `${form.console}/alarms`,
  };
}

function subjectOf(
  first: AlarmLines | undefined,
  count: number,
  { isEscalation }: MessageForm,
  texts: MessageTexts,
  { formats }: Locale,
): string {
  if (!first) return texts.testSubject;
  const subject = count === 1 ? texts.one(first.name, first.what) : texts.many(formats.count(count), first.name);
  return shortened(oneLine(isEscalation ? texts.escalated(subject) : subject), MAX_SUBJECT);
}

function alarmLines(told: ToldAlarm, form: MessageForm, texts: MessageTexts, locale: Locale): AlarmLines {
  const { alarm, names } = told;
  const facts = [
    { name: texts.value, text: valueText(told, locale) },
    { name: texts.limits, text: limitsText(told, locale) },
    { name: texts.since, text: timeText(alarm.since ?? alarm.raised, form) },
    { name: texts.points, text: alarm.points > 1 ? locale.formats.count(alarm.points) : '' },
    { name: texts.owner, text: alarm.owner ?? '' },
    { name: texts.reaction, text: alarm.reaction ?? '' },
    { name: texts.state, text: alarm.state === 'closed' ? texts.closed : '' },
  ];
  return {
    name: names.at(-1) ?? '/',
    place: names.slice(0, -1).join(SEPARATOR),
    what: whatText(told, form.language, texts, locale),
    facts: facts.filter(({ text }) => text !== ''),
    link: form.console === undefined ? undefined : chartLink(told, form.console),
  };
}

function whatText({ alarm, characteristic }: ToldAlarm, language: MessageLanguage, texts: MessageTexts, locale: Locale): string {
  switch (alarm.kind) {
    case 'tolerance': {
      const { lower = characteristic?.limits.lowerTolerance, upper = characteristic?.limits.upperTolerance } = alarm.limits ?? {};
      if (alarm.value !== undefined && upper !== undefined && alarm.value > upper) return texts.above;
      return alarm.value !== undefined && lower !== undefined && alarm.value < lower ? texts.below : texts.tolerance;
    }
    case 'plausibility':
      return texts.plausibility;
    case 'rule': {
      const rule = readRule(alarm.rule ?? '');
      const broken = texts.rule(rule ? ruleMeaning(rule, locale) : (alarm.rule ?? ''));
      return alarm.on === 'variation' ? `${broken}, ${texts.variation}` : broken;
    }
    case 'process': {
      const after = statusText(language, alarm.after ?? '');
      return alarm.before === undefined ? texts.processAfter(after) : texts.process(statusText(language, alarm.before), after);
    }
    case 'silence':
      return texts.silence;
  }
}

function valueText({ alarm, characteristic }: ToldAlarm, { formats }: Locale): string {
  if (alarm.value === undefined) return '';
  return withUnit(formats.number(alarm.value), characteristic?.unit);
}

function limitsText({ alarm, characteristic }: ToldAlarm, { formats }: Locale): string {
  const { lower, upper } = alarm.limits ?? {};
  const [from, to] = [lower, upper].map((limit) => (limit === undefined ? undefined : formats.number(limit)));
  if (from === undefined && to === undefined) return '';
  const range = from === undefined ? `≤ ${to}` : to === undefined ? `≥ ${from}` : `${from} – ${to}`;
  return withUnit(range, characteristic?.unit);
}

function withUnit(text: string, unit: string | undefined): string {
  return unit === undefined ? text : `${text} ${unit}`;
}

function timeText(time: string, { language, zone }: MessageForm): string {
  const format = { dateStyle: 'medium', timeStyle: 'medium', timeZone: zone } as const;
  return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : 'de-DE', format).format(new Date(time));
}

/** The chart of the characteristic around the points of the alarm; the part where there is none. */
function chartLink({ alarm }: ToldAlarm, console: string): string {
  const part = `${console}/parts/${alarm.partUuid}`;
  if (alarm.characteristicUuid === undefined) return part;
  const chart = `${part}/characteristics/${alarm.characteristicUuid}/chart`;
  if (alarm.since === undefined) return chart;
  const view = {
    viewFrom: new Date(Date.parse(alarm.since) - AROUND_MS).toISOString(),
    viewTo: new Date(Date.parse(alarm.last ?? alarm.since) + AROUND_MS).toISOString(),
  };
  return `${chart}?${new URLSearchParams(view).toString()}`;
}

/** Removes line breaks and control characters: a subject is one line. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

/** Cuts a text between two characters. */
export function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '');
  return `${cut}…`;
}
