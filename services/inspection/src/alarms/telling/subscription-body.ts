import {
  ALARM_KINDS,
  MESSAGE_LANGUAGES,
  WEBHOOK_SHAPES,
  type AlarmKind,
  type AlarmSubscription,
  type WebhookShape,
} from '@sinebar/contracts';
import { uuidParameter } from '@sinebar/http';
import { parseUnmarkedPath, storedPartPath, GrammarError } from '@sinebar/query-language';
import { z } from 'zod';
import { wholeNumber } from '../../configuration/configuration-schemas.ts';
import { strictMembers, textMember, wordMember } from '../../shared/body-members.ts';

const DAY_MINUTES = 1440;
const MAX_ESCALATION_MINUTES = 7 * DAY_MINUTES;
/** Messages that come more often are told at once. */
const MIN_DIGEST_MINUTES = 5;
const MAX_DIGEST_TIMES = 24;
const MAX_ADDRESS = 254;
const MAX_URL = 2000;
const MAX_TEXT = 4000;

/** Receiver in a body. */
export type ReceiverBody =
  { kind: 'email'; address: string } | { kind: 'webhook'; url: string; shape: WebhookShape; secret?: string | undefined };

/** The content of a POST or PUT. */
export interface SubscriptionBody extends Pick<AlarmSubscription, 'escalateAfterMinutes' | 'digest' | 'quietHours' | 'language'> {
  uuid?: string | undefined;
  receiver: ReceiverBody;
  partPath: { written: string; stored: string };
  kinds: AlarmKind[];
}

const email = strictMembers({
  kind: z.literal('email'),
  address: textMember(MAX_ADDRESS).pipe(z.email('must be an address such as ada@example.com')),
});

/** Key of the signature of webhooks. */
export const secretMember = z
  .string('must be a text')
  .regex(/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/, 'must be whsec_ and 24 to 64 bytes in Base64')
  .refine(holdsSecret, 'must be whsec_ and 24 to 64 bytes in Base64');

const webhook = strictMembers({
  kind: z.literal('webhook'),
  url: textMember(MAX_URL).refine(isWebhookAddress, 'must be an address such as https://example.com/alarms, without user and password'),
  shape: wordMember(WEBHOOK_SHAPES),
  secret: secretMember.optional(),
}).superRefine(({ shape, secret }, context) => {
  if (secret !== undefined && shape !== 'standard')
    context.addIssue({ code: 'custom', message: 'belongs to the shape standard only: others are not signed', path: ['secret'] });
});

export const receiverMember = z.unknown().transform((value, context): ReceiverBody => {
  const kind = typeof value === 'object' && value !== null && 'kind' in value ? value.kind : undefined;
  if (kind !== 'email' && kind !== 'webhook') {
    context.addIssue({ code: 'custom', message: 'must be an object with the kind email or webhook' });
    return z.NEVER;
  }
  const parsed = (kind === 'email' ? email : webhook).safeParse(value);
  if (parsed.success) return parsed.data;
  for (const { message, path } of parsed.error.issues) context.addIssue({ code: 'custom', message, path: [...path] });
  return z.NEVER;
});

function wallTime() {
  const message = 'must be a wall time from 00:00 to 23:59';
  return z.string(message).regex(/^([01]\d|2[0-3]):[0-5]\d$/, message);
}

const digest = z.union(
  [
    strictMembers({ everyMinutes: wholeNumber(MIN_DIGEST_MINUTES, DAY_MINUTES) }),
    strictMembers({
      at: z
        .array(wallTime(), 'must be a list of wall times')
        .min(1, 'names no time')
        .max(MAX_DIGEST_TIMES, `names more than ${MAX_DIGEST_TIMES} times`)
        .transform((times) => [...new Set(times)].sort()),
    }),
  ],
  `must have everyMinutes, from ${MIN_DIGEST_MINUTES} to ${DAY_MINUTES}, or at, a list of up to ${MAX_DIGEST_TIMES} wall times such as 06:00`,
);

const quietHours = strictMembers({ from: wallTime(), to: wallTime() }).superRefine(({ from, to }, context) => {
  if (from === to) context.addIssue({ code: 'custom', message: 'must differ from from', path: ['to'] });
});

/** Members of a subscription that a PUT may send back and that the server sets. */
const KEPT = ['partUuid', 'own', 'user', 'time', 'paused'] as const;

/** Body of a POST, and of a PUT, which ignores its `uuid`. */
export const subscriptionBody = strictMembers({
  uuid: uuidParameter.optional(),
  receiver: receiverMember,
  partPath: textMember(MAX_TEXT).transform((written, context) => {
    try {
      return { written, stored: storedPartPath(parseUnmarkedPath(written)) };
    } catch (error) {
      if (!(error instanceof GrammarError)) throw error;
      context.addIssue({ code: 'custom', message: error.message });
      return z.NEVER;
    }
  }),
  kinds: z
    .array(wordMember(ALARM_KINDS), 'must be a list of kinds')
    .min(1, 'names no kind')
    .transform((kinds) => ALARM_KINDS.filter((kind) => kinds.includes(kind)))
    .default([...ALARM_KINDS]),
  escalateAfterMinutes: wholeNumber(1, MAX_ESCALATION_MINUTES).optional(),
  digest: digest.optional(),
  quietHours: quietHours.optional(),
  language: wordMember(MESSAGE_LANGUAGES).default('en'),
  ...(Object.fromEntries(KEPT.map((name) => [name, z.unknown().optional()])) as Record<(typeof KEPT)[number], z.ZodOptional<z.ZodUnknown>>),
}).transform(
  ({ uuid, receiver: told, partPath, kinds, escalateAfterMinutes, digest: collected, quietHours: quiet, language }): SubscriptionBody => ({
    uuid,
    receiver: told,
    partPath,
    kinds,
    escalateAfterMinutes,
    digest: collected,
    quietHours: quiet,
    language,
  }),
);

function isWebhookAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
}

function holdsSecret(text: string): boolean {
  const { length } = Buffer.from(text.slice('whsec_'.length), 'base64');
  return length >= 24 && length <= 64;
}
