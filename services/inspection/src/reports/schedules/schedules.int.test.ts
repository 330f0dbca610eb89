import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { PathScope, type Principal, type StoredUser } from '@sinebar/access-control';
import { keptReportSchema, reportRunListSchema, reportScheduleListSchema, reportScheduleSchema, type ReportRun } from '@sinebar/contracts';
import { createLogger } from '@sinebar/runtime';
import { describeWith, eventually } from '@sinebar/testing';
import { readPdf } from '@sinebar/testing/pdf';
import { Webhook } from 'standardwebhooks';
import request from 'supertest';
import { headerOf, startSmtpReceiver, type ReceivedMail, type SmtpReceiver } from '../../alarms/telling/sending/smtp-receiver.fixture.ts';
import { SubscriptionOwners } from '../../alarms/telling/subscription-owners.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../alarms/telling/webhook-receiver.fixture.ts';
import { AnalysisClient } from '../../analysis/analysed-part.fixture.ts';
import { messageOf } from '../../evaluation/evaluation-client.fixture.ts';
import { define, sql } from '../../plan/plan-client.fixture.ts';
import { startInspection, type RunningInspection } from '../../running-inspection.fixture.ts';
import { ReportTurns } from '../writing/report-turns.ts';
import { ScheduleJob } from './schedule-job.ts';

const PATH = '/reportServiceRest/schedules';
const LIMITS = { 2101: 20, 2110: 19.9, 2111: 20.1 };
/** A Sunday; the next report is due on Monday. */
const START = Date.parse('2026-03-01T12:00:00Z');
const DUE = '2026-03-02T06:00:00.000Z';
const MONDAYS = { cron: '0 6 * * 1', zone: 'UTC' };

const user = (name: string, more: Partial<Principal> = {}): Principal => ({
  name,
  userKey: `oidc:sub:${name}`,
  rightsKey: name,
  claims: { sub: name, email: `${name}@plant.example`, email_verified: true },
  scopeOf: () => PathScope.EVERYTHING,
  holds: () => false,
  ...more,
});
const ADA = user('ada');
const BOB = user('bob');
const CHIEF = user('chief', { holds: () => true });
const BLIND = user('blind', { scopeOf: () => PathScope.NOTHING });

describeWith(['postgres'], 'schedules of reports', () => {
  let inspection: RunningInspection;
  let smtp: SmtpReceiver;
  let hooks: WebhookReceiver;
  let part = '';
  let nowMs = START;
  const known = new Map<string | undefined, Principal>();
  const absent = { principalOf: ({ userKey }: StoredUser) => known.get(userKey), onToken: () => undefined };

  beforeAll(async () => {
    [smtp, hooks] = [await startSmtpReceiver({ refuse: ['nobody@plant.example'] }), await startWebhookReceiver()];
    const settings = {
      SINEBAR_SMTP_URL: smtp.url,
      SINEBAR_MAIL_FROM: 'q@plant.example',
      SINEBAR_MAIL_DOMAINS: ['plant.example'],
      SINEBAR_WEBHOOK_HOSTS: ['127.0.0.1'],
      SINEBAR_PUBLIC_URL: 'https://plant.example/quality/',
    };
    inspection = await startInspection(settings, undefined, { users: absent, now: () => new Date(nowMs) });
    for (const key of Object.keys(LIMITS)) await define(inspection, { key: Number(key), entity: 'characteristic', type: 'Float' });
    const analysis = new AnalysisClient(() => inspection);
    const made = await analysis.part(LIMITS);
    part = made.part;
    await analysis.measure(
      part,
      Array.from({ length: 30 }, (_, i) => ({ [made.uuids[0]!]: 20 + Math.sin(i) / 50 })),
    );
  });
  beforeEach(async () => {
    nowMs = START;
    known.clear();
    for (const principal of [ADA, BOB, CHIEF, BLIND]) known.set(principal.userKey, principal);
    smtp.mails.length = 0;
    hooks.requests.length = 0;
    hooks.answer = (response) => response.end();
    for (const table of ['report_sending', 'report_run', 'report_schedule', 'report_schedule_secret'])
      await sql(inspection, `DELETE FROM ${table}`);
  });
  afterAll(async () => {
    await inspection.stop();
    await Promise.all([smtp.close(), hooks.close()]);
  });

  const send = async (
    principal: Principal,
    method: 'get' | 'post' | 'put' | 'delete',
    path: string,
    status: number,
    body?: object,
    etag?: string,
  ) => {
    let response: request.Response | undefined;
    await inspection.as(principal, async () => {
      const sent = request(inspection.server)[method](path);
      if (etag !== undefined) void sent.set('If-Match', etag);
      response = await (body ? sent.send(body) : sent).expect(status);
    });
    return response!;
  };
  const weekly = (more: object = {}) => ({
    name: 'Weekly',
    template: 'capability-list',
    selection: { partUuid: part },
    when: MONDAYS,
    ...more,
  });
  const mail = (address = 'ada@plant.example') => ({ kind: 'email', address });
  const hook = () => ({ kind: 'webhook', url: `${hooks.url}/in`, shape: 'standard' });
  const create = async (body: object = weekly(), principal: Principal = ADA) =>
    reportScheduleSchema.parse((await send(principal, 'post', PATH, 201, body)).body);
  const runsOf = async (uuid: string): Promise<ReportRun[]> =>
    reportRunListSchema.parse((await send(CHIEF, 'get', `${PATH}/${uuid}/runs`, 200)).body);
  const ended = (uuid: string, count = 1) =>
    eventually(
      async () => {
        const runs = await runsOf(uuid);
        return runs.length === count && runs.every(({ state }) => state !== 'running') ? runs : false;
      },
      { describe: `${count} runs have ended`, timeoutMs: 60_000 },
    );

  it('are made with defaults, listed, changed and deleted [D13.7]', async () => {
    const made = await create();
    expect(made).toEqual({
      uuid: made.uuid,
      ...weekly(),
      partPath: made.partPath,
      language: 'en',
      receivers: [],
      enabled: true,
      next: DUE,
      own: true,
      user: 'ada',
      time: new Date(START).toISOString(),
    });
    const list = async (principal: Principal) => reportScheduleListSchema.parse((await send(principal, 'get', PATH, 200)).body);
    expect(await list(ADA)).toEqual([made]);
    expect(await list(BOB)).toEqual([]);
    expect(await list(CHIEF)).toEqual([{ ...made, own: false }]);
    const read = await send(ADA, 'get', `${PATH}/${made.uuid}`, 200);
    const body = { ...made, name: 'Daily', when: { cron: '30 5 * * *', zone: 'Europe/Berlin' }, days: 7 };
    const changed = await send(ADA, 'put', `${PATH}/${made.uuid}`, 200, body, read.headers['etag']);
    expect(changed.body).toMatchObject({ name: 'Daily', days: 7, next: '2026-03-02T04:30:00.000Z' });
    expect(messageOf(await send(ADA, 'put', `${PATH}/${made.uuid}`, 412, body, read.headers['etag']))).toContain('has changed');
    expect((await send(ADA, 'put', `${PATH}/${made.uuid}`, 200, { ...body, enabled: false })).body).not.toHaveProperty('next');
    await send(BOB, 'get', `${PATH}/${made.uuid}`, 404);
    await send(BOB, 'delete', `${PATH}/${made.uuid}`, 404);
    await send(ADA, 'post', PATH, 409, { ...weekly(), uuid: made.uuid });
    await send(ADA, 'delete', `${PATH}/${made.uuid}`, 200);
    expect(await list(ADA)).toEqual([]);
    expect(await sql(inspection, 'SELECT FROM alarm_owner')).toEqual([]);
  });

  it.each<[string, object, number, string]>([
    ['no name', { name: undefined }, 400, 'name'],
    ['a cron line with seconds', { when: { cron: '0 0 6 * * 1' } }, 400, 'must have five fields'],
    ['a time that never comes', { when: { cron: '0 0 30 2 *' } }, 400, 'names no time that ever comes'],
    ['an unknown zone', { when: { cron: '0 6 * * 1', zone: 'Mars/Base' } }, 400, 'must be a zone such as Europe/Berlin'],
    ['an unknown template', { template: 'nothing' }, 400, 'nothing'],
    ['a template of one measurement', { template: 'measurement' }, 400, 'is about one measurement'],
    ['an unknown part', { selection: { partUuid: randomUUID() } }, 404, 'There is no part'],
    ['a measurement', { selection: { partUuid: randomUUID(), measurementUuid: randomUUID() } }, 400, 'measurementUuid'],
    ['no days', { days: 0 }, 400, 'days'],
    ['a strange address', { receivers: [{ kind: 'email', address: 'x' }] }, 400, 'must be an address'],
    ['an address of somebody else', { receivers: [{ kind: 'email', address: 'eve@elsewhere.example' }] }, 403, 'policy:write'],
    [
      'a webhook without the right',
      { receivers: [{ kind: 'webhook', url: 'https://a.example/', shape: 'standard' }] },
      403,
      'policy:write',
    ],
    ['a chat', { receivers: [{ kind: 'webhook', url: 'https://a.example/', shape: 'teams' }] }, 400, 'must be standard'],
    [
      'a receiver twice',
      {
        receivers: [
          { kind: 'email', address: 'ada@plant.example' },
          { kind: 'email', address: 'Ada@plant.example' },
        ],
      },
      400,
      'is named twice',
    ],
    ['a member that is not known', { every: 'monday' }, 400, 'every'],
  ])('are refused with %s [D13.7]', async (_name, more, status, sentence) => {
    expect(messageOf(await send(ADA, 'post', PATH, status, weekly(more)))).toContain(sentence);
    expect(await sql(inspection, 'SELECT FROM report_schedule')).toEqual([]);
  });

  it('make one report for each due time, keep it, and send it as it says [D13.8, D13.9]', async () => {
    const { uuid, secret } = await create(weekly({ receivers: [mail(), hook()], days: 40 }), CHIEF);
    nowMs = Date.parse(DUE) + 250;
    const [run] = await ended(uuid);
    expect(run).toMatchObject({ scheduleUuid: uuid, due: DUE, state: 'done', whole: true });
    await eventually(async () => (await runsOf(uuid))[0]!.sent.every(({ state }) => state === 'delivered'));
    const kept = keptReportSchema.parse((await send(CHIEF, 'get', `/reportServiceRest/reports/${run!.reportUuid}`, 200)).body);
    expect(kept).toMatchObject({ template: 'capability-list', state: 'done', to: DUE, from: '2026-01-21T06:00:00.000Z', user: 'chief' });
    const [received] = smtp.mails as [ReceivedMail];
    expect([received.to, headerOf(received, 'Subject')]).toEqual([['ada@plant.example'], expect.stringContaining('2026-03-02')]);
    const attached = /Content-Type: application\/pdf[^]*?\r\n\r\n([^]*?)\r\n--/.exec(received.raw)?.[1] ?? '';
    const pdf = Buffer.from(attached, 'base64');
    expect((await readPdf(pdf)).pages.join(' ')).toContain('Capability');
    expect(pdf.length).toBe(kept.sizeBytes);
    const [asked] = hooks.requests;
    const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = asked!.headers;
    expect(signature).toBe(new Webhook(secret!).sign(String(id), new Date(Number(timestamp) * 1000), asked!.body));
    expect(JSON.parse(asked!.body)).toMatchObject({
      type: 'report.made',
      data: { scheduleUuid: uuid, report: { uuid: run!.reportUuid }, link: expect.stringContaining(`/reports/${run!.reportUuid}/content`) },
    });
    expect((await send(CHIEF, 'get', `${PATH}/${uuid}`, 200)).body).toMatchObject({ next: '2026-03-09T06:00:00.000Z' });
    expect((await send(CHIEF, 'get', `${PATH}/${uuid}`, 200)).body).not.toHaveProperty('secret');
  });

  it('make one report of all times that were missed [D13.8]', async () => {
    const { uuid } = await create();
    nowMs = Date.parse('2026-03-24T00:00:00Z');
    const [run] = await ended(uuid);
    expect(run!.due).toBe(DUE);
    expect((await send(ADA, 'get', `${PATH}/${uuid}`, 200)).body).toMatchObject({ next: '2026-03-30T06:00:00.000Z' });
  });

  it('make a report when somebody asks for it [D13.8]', async () => {
    const { uuid } = await create(weekly({ enabled: false }));
    await send(BOB, 'post', `${PATH}/${uuid}/runs`, 404);
    await send(ADA, 'post', `${PATH}/${uuid}/runs`, 202);
    expect((await ended(uuid))[0]).toMatchObject({ state: 'done', due: new Date(START).toISOString() });
  });

  it('go on with what a process has left, three times at most [D13.8]', async () => {
    const { uuid } = await create(weekly({ enabled: false }));
    const left = (tries: number, due: string) =>
      sql(
        inspection,
        `INSERT INTO report_run (uuid, schedule_uuid, due_at, state, reason, report_uuid, tries, started_at, until_at)
         VALUES (gen_random_uuid(), $1, $2, 'running', '', gen_random_uuid(), $3, $2, $4)`,
        [uuid, due, tries, new Date(nowMs - 1)],
      );
    await left(3, '2026-02-01T00:00:00Z');
    await left(2, '2026-02-02T00:00:00Z');
    const runs = await ended(uuid, 2);
    expect(runs.map(({ state, reason }) => [state, reason])).toEqual([
      ['done', undefined],
      ['failed', 'The process that made it has ended, at each try.'],
    ]);
  });

  it('make a report once, however many replicas there are [D13.8]', async () => {
    const { uuid } = await create();
    let made = 0;
    const log = createLogger({ service: 'test', level: 'silent' });
    const owners = new SubscriptionOwners({
      database: inspection.database,
      users: absent,
      mailDomains: [],
      offlineDays: 30,
      hasMail: false,
      now: () => new Date(nowMs),
      log,
    });
    const jobs = Array.from({ length: 4 }, () => {
      const reports = {
        keep: () => {
          made += 1;
          return Promise.resolve({ uuid, ended: Promise.resolve() });
        },
        read: () => Promise.resolve({ state: 'done', whole: true } as never),
      };
      return new ScheduleJob({
        database: inspection.database,
        owners,
        reports,
        turns: new ReportTurns(),
        sender: { send: () => Promise.reject(new Error('nothing is sent')) },
        keptDays: 90,
        now: () => new Date(nowMs),
        log,
      });
    });
    nowMs = Date.parse(DUE);
    for (const job of jobs) job.start();
    const [run] = await ended(uuid);
    await Promise.all(jobs.map((job) => job.stop()));
    // The service itself takes part.
    const own = await sql(inspection, 'SELECT FROM report WHERE uuid = $1', [run!.reportUuid]);
    expect(made + own.length).toBe(1);
  });

  it('say why no report is made: a user who was removed, or may read nothing any more, and a part that is gone [D13.8]', async () => {
    const { uuid } = await create();
    known.delete(ADA.userKey);
    expect((await send(CHIEF, 'get', `${PATH}/${uuid}`, 200)).body).toMatchObject({ paused: 'user' });
    nowMs = Date.parse(DUE);
    expect((await ended(uuid))[0]).toMatchObject({
      state: 'failed',
      reason: 'The user of the schedule is not in the access policy any more.',
    });
    expect(messageOf(await send(CHIEF, 'put', `${PATH}/${uuid}`, 409, weekly()))).toContain('cannot sign in any more');
    known.set(ADA.userKey, { ...BLIND, userKey: ADA.userKey } as Principal);
    await send(CHIEF, 'post', `${PATH}/${uuid}/runs`, 409);
    nowMs += 1000;
    await send(CHIEF, 'post', `${PATH}/${uuid}/runs`, 202);
    expect((await ended(uuid, 2))[0]).toMatchObject({ state: 'failed', reason: expect.stringMatching(/part/) });
  });

  it('try again where a receiver cannot be reached, and give up where it refuses [D13.9]', async () => {
    hooks.answer = (response) => {
      response.statusCode = hooks.requests.length < 2 ? 503 : 200;
      response.end();
    };
    const { uuid } = await create(weekly({ receivers: [mail('nobody@plant.example'), hook()] }), CHIEF);
    nowMs = Date.parse(DUE);
    await ended(uuid);
    await eventually(async () => (await runsOf(uuid))[0]!.sent.every(({ tries, state }) => tries === 1 && state !== 'sending'));
    expect((await runsOf(uuid))[0]!.sent.map(({ state }) => state)).toEqual(['failed', 'waiting']);
    nowMs += 6000;
    await eventually(async () => (await runsOf(uuid))[0]!.sent[1]!.state === 'delivered');
    expect(new Set(hooks.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });
});
