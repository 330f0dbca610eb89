import { abortable, withTimeout } from '@sinebar/concurrency';
import { createTransport } from 'nodemailer';
import type { MailMessage } from '../messages/mail-message.ts';
import { shownAnswer, type SendResult } from './send-result.ts';

export interface MailSettings {
  /** `smtp:` or `smtps:`, with user and password. */
  url: string;
  from: string;
}

export interface Mail extends MailMessage {
  /** Id of the message, the same at each try. */
  id: string;
  to: string;
  /** Link that ends the subscription, in one click where it uses https (RFC 8058); without it the mail has no such header. */
  unsubscribe?: string | undefined;
  /** Files besides the picture. */
  attachments?: readonly { filename: string; content: Buffer; contentType: string }[];
  at: Date;
}

const CONNECTION_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 20_000;
const TIMEOUT_MS = 30_000;

/** Sends mail over SMTP, each on a connection of its own. */
export class MailSender {
  private readonly settings: MailSettings;
  private readonly timeoutMs: number;

  constructor(settings: MailSettings, timeoutMs = TIMEOUT_MS) {
    this.settings = settings;
    this.timeoutMs = timeoutMs;
  }

  /** @throws the signal's reason when it is aborted */
  async send(mail: Mail, signal: AbortSignal): Promise<SendResult> {
    const { url, from } = this.settings;
    const limit = (ms: number) => Math.min(ms, this.timeoutMs);
    const transport = createTransport({
      url,
      connectionTimeout: limit(CONNECTION_TIMEOUT_MS),
      greetingTimeout: limit(CONNECTION_TIMEOUT_MS),
      dnsTimeout: limit(CONNECTION_TIMEOUT_MS),
      socketTimeout: limit(IDLE_TIMEOUT_MS),
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    const { id, to, subject, text, html, picture, unsubscribe, attachments = [], at } = mail;
    const sending = transport.sendMail({
      from,
      to: { name: '', address: to },
      subject,
      text,
      html,
      date: at,
      messageId: `<${id}@sinebar>`,
      headers: {
        'Auto-Submitted': 'auto-generated',
        'X-Auto-Response-Suppress': 'All',
        ...(unsubscribe?.startsWith('https:') === true && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
      },
      ...(unsubscribe !== undefined && { list: { unsubscribe } }),
      attachments: [
        ...attachments,
        ...(picture
          ? [
              {
                filename: 'values.png',
                content: picture.png,
                cid: picture.cid,
                contentType: 'image/png',
                contentDisposition: 'inline' as const,
              },
            ]
          : []),
      ],
    });
    // It may end after the time limit, when nobody waits for it.
    sending.catch(() => undefined);
    try {
      const { response } = await abortable(withTimeout(sending, this.timeoutMs), signal);
      return { state: 'delivered', answer: shownAnswer(response) };
    } catch (error) {
      if (signal.aborted) throw error;
      return failureOf(error);
    } finally {
      transport.close();
    }
  }
}

function failureOf(error: unknown): SendResult {
  const { code, responseCode, response, message } = error as { code?: string; responseCode?: number; response?: string; message?: string };
  // The server refuses this address, whenever it is asked.
  const isFinal = code === 'EENVELOPE' && responseCode !== undefined && responseCode >= 550;
  return { state: isFinal ? 'failed' : 'waiting', answer: `The mail server said: ${shownAnswer(response ?? message ?? String(error))}` };
}
