import type { AbsentUsers } from '@sinebar/authentication';
import type { Database } from '@sinebar/database';
import type { Route } from '@sinebar/http';
import { SettingsError, type Logger, type Metrics } from '@sinebar/runtime';
import type { BackgroundJob } from '../../shared/background-job.ts';
import type { HideUsers } from '../../shared/answers/shown-users.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { DeliveryService } from './delivery-service.ts';
import { DeliveryJob } from './jobs/delivery-job.ts';
import { MessageSender } from './jobs/message-sender.ts';
import { NoticeJob } from './jobs/notice-job.ts';
import { MailSender } from './sending/mail-sender.ts';
import { WebhookAddresses } from './sending/webhook-address.ts';
import { WebhookSender } from './sending/webhook-sender.ts';
import type { ReceiverLimits } from './receiver-rights.ts';
import { SubscriptionOwners } from './subscription-owners.ts';
import { subscriptionRoutes } from './subscription-routes.ts';
import { SubscriptionService } from './subscription-service.ts';
import { tellingMetrics } from './telling-metrics.ts';
import { unsubscribeRoutes } from './unsubscribing/unsubscribe-routes.ts';
import { UnsubscribeService } from './unsubscribing/unsubscribe-service.ts';

/** Settings of messages about alarms. */
export interface TellingSettings {
  SINEBAR_SMTP_URL?: string | undefined;
  SINEBAR_MAIL_FROM?: string | undefined;
  SINEBAR_MAIL_DOMAINS?: readonly string[] | undefined;
  SINEBAR_WEBHOOK_HOSTS?: readonly string[] | undefined;
  SINEBAR_OFFLINE_RIGHTS_DAYS?: number | undefined;
  SINEBAR_PUBLIC_URL?: string | undefined;
}

export interface TellingDependencies {
  database: Database;
  users: AbsentUsers;
  settings: TellingSettings;
  /** Leaves out names in answers. */
  hide: HideUsers;
  now: () => Date;
  log: Logger;
}

/** Subscriptions and messages of the inspection service. */
export interface Telling {
  routes: Route[];
  jobs: { notices: BackgroundJob; deliveries: BackgroundJob };
  observe: (metrics: Metrics) => void;
  stop: () => Promise<void>;
  /** Parts that other messages to the same receivers use. */
  sending: Sending;
}

/** Receivers, whose rights count, and the ways to reach them. */
export interface Sending {
  owners: SubscriptionOwners;
  receivers: ReceiverLimits;
  /** Absent where the server sends no mail. */
  mail: MailSender | undefined;
  webhooks: WebhookSender;
  /** Address of the server without a trailing slash; `undefined` leaves links out. */
  publicUrl: string | undefined;
}

const DEFAULT_OFFLINE_DAYS = 30;

/** Wires what tells people and programs about alarms. */
export function composeTelling({ database, users, settings, hide, now, log }: TellingDependencies): Telling {
  const mailDomains = (settings.SINEBAR_MAIL_DOMAINS ?? []).map((domain) => domain.toLowerCase().replace(/^@/, ''));
  const mailSender = mailSenderOf(settings);
  const hasMail = mailSender !== undefined;
  const offlineDays = settings.SINEBAR_OFFLINE_RIGHTS_DAYS ?? DEFAULT_OFFLINE_DAYS;
  const addresses = new WebhookAddresses(settings.SINEBAR_WEBHOOK_HOSTS ?? []);
  const owners = new SubscriptionOwners({ database, users, mailDomains, offlineDays, hasMail, now, log });
  const receivers = { mailDomains, hasMail, webhookProblem: (url: string) => addresses.problem(url) };
  const subscriptions = new SubscriptionService({
    database,
    owners,
    ...receivers,
    hasLinks: settings.SINEBAR_PUBLIC_URL !== undefined,
    hide,
    now,
  });
  const publicUrl = settings.SINEBAR_PUBLIC_URL?.replace(/\/+$/, '');
  const webhooks = new WebhookSender(addresses);
  const sender = new MessageSender({ database, owners, mail: mailSender, webhooks, publicUrl, hide, now });
  const sending = new DeliveryJob({ database, sender, now, log });
  const deliveries = new DeliveryService({ database, owners, onDue: () => sending.wake(), now });
  return {
    jobs: { notices: new NoticeJob({ database, owners, onDue: () => sending.wake(), now, log }), deliveries: sending },
    routes: [
      ...subscriptionRoutes(subscriptions, deliveries),
      ...unsubscribeRoutes(new UnsubscribeService(database)),
      ...deliveryRoutes(deliveries),
    ],
    observe: (metrics) => tellingMetrics(metrics, database),
    stop: () => owners.stop(),
    sending: { owners, receivers, mail: mailSender, webhooks, publicUrl },
  };
}

/** @throws SettingsError when there is a mail server but no sender */
function mailSenderOf({ SINEBAR_SMTP_URL: url, SINEBAR_MAIL_FROM: from }: TellingSettings): MailSender | undefined {
  if (url === undefined) return undefined;
  if (from === undefined)
    throw new SettingsError(['SINEBAR_MAIL_FROM: is required with SINEBAR_SMTP_URL: the sender of mail about alarms']);
  return new MailSender({ url, from });
}
