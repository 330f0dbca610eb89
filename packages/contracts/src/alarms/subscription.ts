import { z } from 'zod';
import { ALARM_KINDS, DELIVERY_STATES } from './words.ts';

const time = z.string().describe('ISO 8601, UTC');
const wallTime = z.string().describe('Wall time in the zone of the plant, such as `06:00`');

export const WEBHOOK_SHAPES = ['standard', 'teams', 'slack'] as const;
export type WebhookShape = (typeof WEBHOOK_SHAPES)[number];

export const MESSAGE_LANGUAGES = ['en', 'de'] as const;
export type MessageLanguage = (typeof MESSAGE_LANGUAGES)[number];

const emailReceiverSchema = z.object({ kind: z.literal('email'), address: z.string() });
const webhookReceiverSchema = z.object({
  kind: z.literal('webhook'),
  url: z.string().describe('Of the shapes `teams` and `slack` only the origin: the rest of their address is a secret'),
  shape: z.enum(WEBHOOK_SHAPES),
  secret: z.string().optional().describe('Signs messages of the shape `standard`; only in the answer that made or took a new one'),
});

/** Receiver of a subscription. */
export const receiverSchema = z.discriminatedUnion('kind', [emailReceiverSchema, webhookReceiverSchema]).meta({ id: 'AlarmReceiver' });
export type AlarmReceiver = z.infer<typeof receiverSchema>;

/** Why a subscription sends nothing at the moment. */
export const PAUSE_REASONS = ['user', 'signIn', 'right', 'receiver', 'secret', 'part', 'mail'] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

const digestSchema = z
  .union([z.object({ everyMinutes: z.int() }), z.object({ at: z.array(wallTime) })])
  .describe('Collects alarms into one message every so many minutes, or at these times; absent: at once');
export type AlarmDigest = z.infer<typeof digestSchema>;

const quietHoursSchema = z
  .object({ from: wallTime, to: wallTime })
  .describe('What comes meanwhile is told when they end; over midnight where `to` is before `from`');
export type QuietHours = z.infer<typeof quietHoursSchema>;

/** A receiver, the alarms that it is told of, and its times. */
export const alarmSubscriptionSchema = z
  .object({
    uuid: z.string(),
    receiver: receiverSchema,
    partUuid: z.string(),
    partPath: z.string().optional().describe('Everything at and below it counts; absent while there is no such part'),
    kinds: z.array(z.enum(ALARM_KINDS)),
    escalateAfterMinutes: z.int().optional().describe('Tells only what nobody has acknowledged so long after it was raised'),
    digest: digestSchema.optional(),
    quietHours: quietHoursSchema.optional(),
    language: z.enum(MESSAGE_LANGUAGES),
    own: z.boolean(),
    user: z.string().optional().describe('Whose it is: messages hold only what this user may read'),
    time: time.describe('When it was made'),
    paused: z
      .enum(PAUSE_REASONS)
      .optional()
      .describe(
        'Why nothing is sent: the user is not in the access policy any more (`user`), has not signed in for too long (`signIn`), may read no measurements there (`right`) or not tell the receiver any more (`receiver`); the secret (`secret`) or the part (`part`) is missing; the server sends no mail (`mail`)',
      ),
  })
  .meta({ id: 'AlarmSubscription' });
export type AlarmSubscription = z.infer<typeof alarmSubscriptionSchema>;

export const alarmSubscriptionListSchema = z.array(alarmSubscriptionSchema);

/** Receivers that the caller may have told, and what the server can send. */
export const receiverChoiceSchema = z
  .object({
    any: z.boolean().describe('Whether the caller may name any address, and webhooks'),
    ownAddress: z.string().optional().describe('Verified address of the caller'),
    mailDomains: z.array(z.string()).describe('Domains whose addresses everybody may name'),
    mail: z.boolean().describe('Whether the server sends mail: SINEBAR_SMTP_URL is set'),
    links: z.boolean().describe('Whether messages hold links: SINEBAR_PUBLIC_URL is set'),
    zone: z.string().describe('Zone of the plant, by which wall times count'),
  })
  .meta({ id: 'AlarmReceiverChoice' });
export type AlarmReceiverChoice = z.infer<typeof receiverChoiceSchema>;

/** One message to the receiver of a subscription. */
export const alarmDeliverySchema = z
  .object({
    uuid: z.string().describe('Id of the message, the same at each try'),
    subscriptionUuid: z.string(),
    state: z
      .enum(DELIVERY_STATES)
      .describe('`failed` after 24 hours of tries; `cancelled` when nothing was left to tell, because the alarms were closed before'),
    receiver: z.object({ kind: z.enum(['email', 'webhook']), to: z.string().describe('Address, or origin of the webhook') }),
    test: z.boolean(),
    alarms: z.int().describe('Alarms in the message'),
    alarmUuids: z.array(z.string()).describe('The first 100 of them'),
    created: time,
    tries: z.int(),
    lastTry: time.optional(),
    nextTry: time.optional().describe('Absent when it is finished'),
    finished: time.optional(),
    answer: z.string().optional().describe('Of the receiver to the last try, or why there was none'),
  })
  .meta({ id: 'AlarmDelivery' });
export type AlarmDelivery = z.infer<typeof alarmDeliverySchema>;

export const alarmDeliveryListSchema = z.array(alarmDeliverySchema);
