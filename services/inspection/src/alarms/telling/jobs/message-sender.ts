import { randomBytes } from 'node:crypto';
import type { Database, Session } from '@sinebar/database';
import { readPlantSettings } from '../../../evaluation/settings/settings-service.ts';
import type { HideUsers } from '../../../shared/answers/shown-users.ts';
import { messageLines, type MessageForm } from '../messages/alarm-lines.ts';
import { drawValues, pngOf } from '../messages/alarm-picture.ts';
import { mailMessage, MAX_MAIL_ALARMS } from '../messages/mail-message.ts';
import { MAX_DESCRIBED, readNewestValues, readTold, type NewestValue, type Told } from '../messages/told-alarms.ts';
import { MAX_CHAT_ALARMS, webhookBody } from '../messages/webhook-message.ts';
import type { MailSender } from '../sending/mail-sender.ts';
import type { SendResult } from '../sending/send-result.ts';
import type { WebhookSender } from '../sending/webhook-sender.ts';
import type { SubscriptionOwners } from '../subscription-owners.ts';
import { ensureSecret, readSecret, readSubscriptions, unmarkedPath, type Subscription } from '../subscription-store.ts';
import { unsubscribeLink } from '../unsubscribing/unsubscribe-link.ts';
import type { ClaimedDelivery } from './delivery-queue.ts';

export interface MessageSenderDependencies {
  database: Database;
  owners: SubscriptionOwners;
  /** Absent where the server sends no mail. */
  mail: MailSender | undefined;
  webhooks: WebhookSender;
  /** Address of the server without a trailing slash; `undefined` leaves links out. */
  publicUrl: string | undefined;
  hide: HideUsers;
  now: () => Date;
}

/** Data of a message, read in one snapshot. */
interface Content {
  subscription: Subscription;
  told: Told;
  /** Values of the first alarm. */
  values: NewestValue[];
  /** Secret of a webhook, or key of the links that end a subscription by mail. */
  secret: string | undefined;
  zone: string;
}

const STATEMENT_TIMEOUT_MS = 20_000;
const KEY_BYTES = 32;

/** Makes messages with the rights that the owner has now, and sends them. */
export class MessageSender {
  private readonly deps: MessageSenderDependencies;

  constructor(deps: MessageSenderDependencies) {
    this.deps = deps;
  }

  /** @returns how it went, or why nothing was sent. @throws the signal's reason when it is aborted */
  async send(delivery: ClaimedDelivery, signal: AbortSignal): Promise<SendResult | { state: 'cancelled'; answer: string }> {
    const { database } = this.deps;
    const content = await database.snapshot({ signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS }, (session) =>
      this.read(session, delivery),
    );
    if ('cancelled' in content) return { state: 'cancelled', answer: content.cancelled };
    return content.subscription.receiver.kind === 'email'
      ? this.sendMail(delivery, content, content.subscription.receiver.address, signal)
      : this.sendWebhook(delivery, content, content.subscription.receiver, signal);
  }

  private async read(session: Session, { subscriptionId, alarmIds, isTest }: ClaimedDelivery): Promise<Content | { cancelled: string }> {
    const { owners, hide } = this.deps;
    const [subscription] = await readSubscriptions(session, { ids: [subscriptionId] });
    if (!subscription) return { cancelled: 'The subscription was deleted.' };
    const rights = owners.rightsFor(subscription);
    if ('paused' in rights) return { cancelled: `The subscription is paused (${rights.paused}).` };
    const { principal } = rights;
    const told = await readTold(session, alarmIds, {
      principal,
      toldIn: subscription.escalateMinutes === null ? 'message' : 'escalation',
      hide,
    });
    if (told.count === 0 && !isTest) return { cancelled: 'Nothing was left to tell: the alarms were closed, or may not be read any more.' };
    const characteristic = told.described[0]?.characteristic;
    const isMail = subscription.receiver.kind === 'email';
    return {
      subscription,
      told,
      values: isMail && characteristic ? await readNewestValues(session, characteristic) : [],
      secret: await readSecret(session, subscription.uuid),
      zone: (await readPlantSettings(session)).zone,
    };
  }

  private async sendMail({ uuid }: ClaimedDelivery, content: Content, to: string, signal: AbortSignal): Promise<SendResult> {
    const { mail, now } = this.deps;
    if (!mail) return { state: 'waiting', answer: 'This server sends no mail: SINEBAR_SMTP_URL is not set.' };
    const form = this.formOf(content);
    const [first] = content.told.described;
    const svg = first && drawValues(first, content.values, form.language);
    const message = mailMessage(messageLines(content.told, form, MAX_MAIL_ALARMS), form, svg === undefined ? undefined : await pngOf(svg));
    const unsubscribe = await this.unsubscribeLink(content, to, signal);
    return mail.send({ ...message, id: uuid, to, unsubscribe, at: now() }, signal);
  }

  /** The key is made with the first mail, also after a restore: backups hold no secrets. */
  private async unsubscribeLink({ subscription: { uuid }, secret }: Content, to: string, signal: AbortSignal): Promise<string | undefined> {
    const { publicUrl, database } = this.deps;
    if (publicUrl === undefined) return undefined;
    const key =
      secret ??
      (await database.write({ signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS }, (session) =>
        ensureSecret(session, uuid, randomBytes(KEY_BYTES).toString('base64')),
      ));
    return key === undefined ? undefined : unsubscribeLink(publicUrl, key, { uuid, address: to });
  }

  private sendWebhook(
    { uuid, isTest }: ClaimedDelivery,
    content: Content,
    { url, shape }: Extract<Subscription['receiver'], { kind: 'webhook' }>,
    signal: AbortSignal,
  ): Promise<SendResult> {
    const { webhooks, now } = this.deps;
    const { told, secret, subscription } = content;
    const form = this.formOf(content);
    const isStandard = shape === 'standard';
    const lines = messageLines(told, form, isStandard ? MAX_DESCRIBED : MAX_CHAT_ALARMS);
    const at = now();
    const { isEscalation } = form;
    const body = webhookBody(shape, { subscriptionUuid: subscription.uuid, told, lines, isTest, isEscalation, at });
    // The address of a chat is itself the secret.
    return webhooks.send({ id: uuid, url: isStandard ? url : (secret ?? url), body, secret: isStandard ? secret : undefined, at }, signal);
  }

  private formOf({ subscription: { language, markedPath, escalateMinutes }, zone }: Content): MessageForm {
    const { publicUrl } = this.deps;
    return {
      language,
      zone,
      console: publicUrl === undefined ? undefined : `${publicUrl}/console`,
      below: unmarkedPath(markedPath ?? '/'),
      isEscalation: escalateMinutes !== null,
    };
  }
}
