import type { KeptReport } from '@sinebar/contracts';
import type { Database, Session } from '@sinebar/database';
import { mayTell } from '../../alarms/telling/receiver-rights.ts';
import type { SendResult } from '../../alarms/telling/sending/send-result.ts';
import type { Sending } from '../../alarms/telling/telling.ts';
import { fileNameOf } from '../report-file-name.ts';
import type { ReportService } from '../report-service.ts';
import { readContent } from '../report-store.ts';
import { reportMail } from './report-mail.ts';
import type { ClaimedSending } from './schedule-queue.ts';
import { readSchedules, readScheduleSecret, type Schedule } from './schedule-store.ts';

export interface ReportSenderDependencies extends Sending {
  database: Database;
  reports: Pick<ReportService, 'read'>;
  now: () => Date;
}

type Result = SendResult | { state: 'cancelled'; answer: string };

const STATEMENT_TIMEOUT_MS = 20_000;
/** Mail servers refuse larger messages; Base64 makes a third more of it. */
const MAX_ATTACHED_BYTES = 10 * 1024 * 1024;

/** Sends kept reports to the receivers of their schedule, as far as its user may still read and tell them. */
export class ReportSender {
  private readonly deps: ReportSenderDependencies;

  constructor(deps: ReportSenderDependencies) {
    this.deps = deps;
  }

  /** @returns how it went, or why nothing was sent. @throws the signal's reason when it is aborted */
  async send(sending: ClaimedSending, signal: AbortSignal): Promise<Result> {
    const { database, owners, receivers, reports } = this.deps;
    const work = { signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
    const { schedule, secret } = await database.read(work, async (session) => ({
      schedule: (await readSchedules(session, { uuid: sending.scheduleUuid }))[0],
      secret: await readScheduleSecret(session, sending.scheduleUuid),
    }));
    if (!schedule) return { state: 'cancelled', answer: 'The schedule was deleted.' };
    const rights = owners.principalOf(schedule.owner);
    if ('paused' in rights) return { state: 'cancelled', answer: `The schedule is paused (${rights.paused}).` };
    const { receiver } = sending;
    if (!mayTell(rights.principal, receiver, receivers.mailDomains))
      return { state: 'cancelled', answer: 'The user of the schedule may not tell this receiver any more.' };
    const report = await reports.read(sending.reportUuid, { ...work, principal: rights.principal });
    return receiver.kind === 'email'
      ? this.sendMail(sending, schedule, report, receiver.address, signal)
      : this.sendWebhook(sending, schedule, report, { url: receiver.url, secret }, signal);
  }

  private async sendMail(
    { uuid }: ClaimedSending,
    schedule: Schedule,
    report: KeptReport,
    to: string,
    signal: AbortSignal,
  ): Promise<Result> {
    const { mail, database, now, publicUrl } = this.deps;
    if (!mail) return { state: 'waiting', answer: 'This server sends no mail: SINEBAR_SMTP_URL is not set.' };
    const isAttached = (report.sizeBytes ?? 0) <= MAX_ATTACHED_BYTES;
    const work = { signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
    const content = isAttached ? await database.snapshot(work, (session) => wholeContent(session, report.uuid)) : undefined;
    const message = reportMail({ schedule, report, isAttached, publicUrl });
    const attachments = content && [{ filename: fileNameOf(report.title, report.to), content, contentType: 'application/pdf' }];
    return mail.send({ ...message, id: uuid, to, at: now(), ...(attachments && { attachments }) }, signal);
  }

  private sendWebhook(
    { uuid, runUuid }: ClaimedSending,
    schedule: Schedule,
    report: KeptReport,
    { url, secret }: { url: string; secret: string | undefined },
    signal: AbortSignal,
  ): Promise<Result> {
    const { webhooks, now, publicUrl } = this.deps;
    // A restored server has no secrets, and must not send in the name of the first.
    if (secret === undefined) return Promise.resolve({ state: 'cancelled', answer: 'The schedule has no secret. Change it to make one.' });
    const at = now();
    const link = publicUrl === undefined ? {} : { link: `${publicUrl}/reportServiceRest/reports/${report.uuid}/content` };
    const data = { scheduleUuid: schedule.uuid, runUuid, name: schedule.name, report, ...link };
    const body = JSON.stringify({ type: 'report.made', timestamp: at.toISOString(), data });
    return webhooks.send({ id: uuid, url, body, secret, at }, signal);
  }
}

async function wholeContent(session: Session, uuid: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (let piece = await readContent(session, uuid, 0); piece; piece = await readContent(session, uuid, pieces.length)) pieces.push(piece);
  return Buffer.concat(pieces);
}
