import type { WebhookShape } from '@sinebar/contracts';
import { shortened, type AlarmLines, type MessageLines } from './alarm-lines.ts';
import type { Told } from './told-alarms.ts';

/** Alarms that a message to people describes: Teams takes 28 KB and Slack 50 blocks. */
export const MAX_CHAT_ALARMS = 8;
const MAX_CHAT_TEXT = 300;
/** Most characters of a heading of Slack. */
const MAX_SLACK_HEADER = 150;
const MAX_SLACK_SECTION = 2900;

export interface WebhookContent {
  subscriptionUuid: string;
  told: Told;
  lines: MessageLines;
  isTest: boolean;
  isEscalation: boolean;
  at: Date;
}

/** Writes the body of a webhook. */
export function webhookBody(shape: WebhookShape, content: WebhookContent): string {
  switch (shape) {
    case 'standard':
      return JSON.stringify(standardMessage(content));
    case 'teams':
      return JSON.stringify(teamsMessage(content.lines));
    case 'slack':
      return JSON.stringify(slackMessage(content.lines));
  }
}

/** A message of Standard Webhooks: alarms as GET /alarms answers them, each with its texts. */
function standardMessage({ subscriptionUuid, told, lines, isTest, isEscalation, at }: WebhookContent) {
  return {
    type: isTest ? 'alarm.test' : isEscalation ? 'alarm.escalated' : 'alarm.raised',
    timestamp: at.toISOString(),
    data: {
      subscriptionUuid,
      count: told.count,
      alarms: told.described.map(({ alarm, characteristic }, i) => {
        const { what = '', link } = lines.alarms[i] ?? {};
        const unit = characteristic?.unit;
        return { ...alarm, text: what, ...(unit !== undefined && { unit }), ...(link !== undefined && { link }) };
      }),
    },
  };
}

/** An Adaptive Card as the workflows of Teams take it. */
function teamsMessage({ subject, texts, alarms, further, inbox }: MessageLines) {
  const block = (text: string, more: object = {}) => ({ type: 'TextBlock', text: withoutMarkdown(text), wrap: true, ...more });
  const open = (title: string, url: string) => ({ type: 'ActionSet', actions: [{ type: 'Action.OpenUrl', title, url }] });
  const alarmOf = ({ name, place, what, facts, link }: AlarmLines) => ({
    type: 'Container',
    separator: true,
    items: [
      block(shortened(`${name}: ${what}`, MAX_CHAT_TEXT), { weight: 'Bolder' }),
      ...(place === '' ? [] : [block(shortened(place, MAX_CHAT_TEXT), { isSubtle: true, spacing: 'None' })]),
      {
        type: 'FactSet',
        facts: facts.map(({ name: title, text }) => ({ title, value: withoutMarkdown(shortened(text, MAX_CHAT_TEXT)) })),
      },
      ...(link === undefined ? [] : [open(texts.chart, link)]),
    ],
  });
  const body = [
    block(subject, { size: 'Medium', weight: 'Bolder' }),
    ...(alarms.length === 0 ? [block(texts.test)] : alarms.map(alarmOf)),
    ...(further === undefined ? [] : [block(further)]),
    ...(further === undefined || inbox === undefined ? [] : [open(texts.inbox, inbox)]),
  ];
  const content = { $schema: 'http://adaptivecards.io/schemas/adaptive-card.json', type: 'AdaptiveCard', version: '1.4', body };
  return { type: 'message', attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }] };
}

function slackMessage({ subject, texts, alarms, further, inbox }: MessageLines) {
  // Plain text: names with markup stay as they are.
  const plain = (text: string) => ({ type: 'plain_text', text, emoji: false });
  const section = (text: string) => ({ type: 'section', text: plain(text) });
  const open = (text: string, url: string) => ({ type: 'section', text: { type: 'mrkdwn', text: `<${escaped(url)}|${escaped(text)}>` } });
  const alarmOf = ({ name, place, what, facts, link }: AlarmLines) => {
    const lines = [`${name}: ${what}`, ...(place === '' ? [] : [place]), ...facts.map((fact) => `${fact.name}: ${fact.text}`)];
    const text = lines.map((line) => shortened(line, MAX_CHAT_TEXT)).join('\n');
    return [{ type: 'divider' }, section(shortened(text, MAX_SLACK_SECTION)), ...(link === undefined ? [] : [open(texts.chart, link)])];
  };
  return {
    text: escaped(subject),
    blocks: [
      { type: 'header', text: plain(shortened(subject, MAX_SLACK_HEADER)) },
      ...(alarms.length === 0 ? [section(texts.test)] : alarms.flatMap(alarmOf)),
      ...(further === undefined ? [] : [section(further)]),
      ...(further === undefined || inbox === undefined ? [] : [open(texts.inbox, inbox)]),
    ],
  };
}

/** Escapes what Slack reads as control characters. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Escapes what a card reads as Markdown. */
function withoutMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_[\]()#~>]/g, String.raw`\$&`);
}
