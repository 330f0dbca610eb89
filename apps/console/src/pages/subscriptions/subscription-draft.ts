import {
  ALARM_KINDS,
  type AlarmKind,
  type AlarmReceiver,
  type AlarmReceiverChoice,
  type AlarmSubscription,
  type SubscriptionContent,
} from '@sinebar/client';

type Webhook = Extract<AlarmReceiver, { kind: 'webhook' }>;

/** A subscription as it is written in a form. */
export interface SubscriptionDraft {
  /** `own`: the verified address of the reader. */
  readonly receiver: 'own' | 'email' | 'webhook';
  readonly address: string;
  readonly url: string;
  readonly shape: Webhook['shape'];
  /** Made by the server, or kept, where it is empty. */
  readonly secret: string;
  readonly partPath: string;
  readonly kinds: readonly AlarmKind[];
  readonly when: 'raised' | 'escalated';
  readonly escalateAfterMinutes: string;
  readonly how: 'atOnce' | 'every' | 'at';
  readonly everyMinutes: string;
  /** Wall times with commas: `06:00, 14:00`. */
  readonly times: string;
  readonly hasQuietHours: boolean;
  readonly quietFrom: string;
  readonly quietTo: string;
  readonly language: AlarmSubscription['language'];
}

const MAX_ESCALATION = 10_080;
const MIN_EVERY = 5;
const MAX_EVERY = 1440;
const MAX_TIMES = 24;

/** Finds the kinds of receivers that a reader may name. */
export function receiverKinds({ any, ownAddress, mailDomains }: AlarmReceiverChoice): SubscriptionDraft['receiver'][] {
  return [
    ...(ownAddress === undefined ? [] : ['own' as const]),
    ...(any || mailDomains.length > 0 ? ['email' as const] : []),
    ...(any ? ['webhook' as const] : []),
  ];
}

export function newDraft(choice: AlarmReceiverChoice, language: AlarmSubscription['language']): SubscriptionDraft {
  return {
    receiver: (choice.mail ? receiverKinds(choice)[0] : receiverKinds(choice).at(-1)) ?? 'email',
    address: '',
    url: '',
    shape: 'standard',
    secret: '',
    partPath: '/',
    kinds: ALARM_KINDS,
    when: 'raised',
    escalateAfterMinutes: '30',
    how: 'atOnce',
    everyMinutes: '60',
    times: '06:00',
    hasQuietHours: false,
    quietFrom: '22:00',
    quietTo: '06:00',
    language,
  };
}

export function draftOf(subscription: AlarmSubscription, choice: AlarmReceiverChoice): SubscriptionDraft {
  const { receiver, partPath = '/', kinds, escalateAfterMinutes, digest, quietHours, language } = subscription;
  const usual = newDraft(choice, language);
  return {
    ...usual,
    ...(receiver.kind === 'webhook'
      ? { receiver: 'webhook', url: receiver.url, shape: receiver.shape }
      : { receiver: receiver.address === choice.ownAddress ? 'own' : 'email', address: receiver.address }),
    partPath,
    kinds,
    ...(escalateAfterMinutes !== undefined && { when: 'escalated', escalateAfterMinutes: String(escalateAfterMinutes) }),
    ...(digest && 'everyMinutes' in digest && { how: 'every', everyMinutes: String(digest.everyMinutes) }),
    ...(digest && 'at' in digest && { how: 'at', times: digest.at.join(', ') }),
    ...(quietHours && { hasQuietHours: true, quietFrom: quietHours.from, quietTo: quietHours.to }),
  };
}

/** Makes the body of the request from a draft without a problem. */
export function contentOf(draft: SubscriptionDraft, { ownAddress = '' }: AlarmReceiverChoice): SubscriptionContent {
  const { receiver, address, url, shape, secret, partPath, kinds, language } = draft;
  return {
    receiver:
      receiver === 'webhook'
        ? { kind: 'webhook', url: url.trim(), shape, ...(shape === 'standard' && secret.trim() !== '' && { secret: secret.trim() }) }
        : { kind: 'email', address: receiver === 'own' ? ownAddress : address.trim() },
    partPath,
    kinds: [...kinds],
    ...(draft.when === 'escalated' && { escalateAfterMinutes: Number(draft.escalateAfterMinutes) }),
    ...(draft.how === 'every' && { digest: { everyMinutes: Number(draft.everyMinutes) } }),
    ...(draft.how === 'at' && { digest: { at: timesOf(draft.times) } }),
    ...(draft.hasQuietHours && { quietHours: { from: draft.quietFrom, to: draft.quietTo } }),
    language,
  };
}

/** Why a draft cannot be saved. */
export type SubscriptionProblem =
  'needsAddress' | 'otherDomain' | 'needsUrl' | 'needsKind' | 'wrongEscalation' | 'wrongEvery' | 'wrongTimes' | 'wrongQuietHours';

export function draftProblem(draft: SubscriptionDraft, choice: AlarmReceiverChoice): SubscriptionProblem | undefined {
  const { receiver, kinds, when, how, hasQuietHours, quietFrom, quietTo } = draft;
  if (receiver === 'email') {
    const address = draft.address.trim();
    if (!/^[^@\s]+@[^@\s]+$/.test(address)) return 'needsAddress';
    if (!choice.any && !choice.mailDomains.includes(address.slice(address.lastIndexOf('@') + 1).toLowerCase())) return 'otherDomain';
  }
  if (receiver === 'webhook' && !isWebhookAddress(draft.url.trim())) return 'needsUrl';
  if (kinds.length === 0) return 'needsKind';
  if (when === 'escalated' && !isWhole(draft.escalateAfterMinutes, 1, MAX_ESCALATION)) return 'wrongEscalation';
  if (how === 'every' && !isWhole(draft.everyMinutes, MIN_EVERY, MAX_EVERY)) return 'wrongEvery';
  if (how === 'at') {
    const times = timesOf(draft.times);
    if (times.length === 0 || times.length > MAX_TIMES || !times.every(isWallTime)) return 'wrongTimes';
  }
  if (hasQuietHours && (!isWallTime(quietFrom) || !isWallTime(quietTo) || quietFrom === quietTo)) return 'wrongQuietHours';
  return undefined;
}

function timesOf(text: string): string[] {
  const written = text.split(/[\s,;]+/).filter((time) => time !== '');
  return written.map((time) => (/^\d:/.test(time) ? `0${time}` : time));
}

function isWallTime(text: string): boolean {
  return /^([01]\d|2[0-3]):[0-5]\d$/.test(text);
}

function isWhole(text: string, least: number, most: number): boolean {
  const number = Number(text);
  return /^\d+$/.test(text.trim()) && number >= least && number <= most;
}

function isWebhookAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}
