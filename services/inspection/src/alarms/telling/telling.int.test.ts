import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { EVERYONE, PathScope, type Principal, type StoredUser } from '@sinebar/access-control';
import { alarmDeliveryListSchema, alarmSubscriptionSchema, type AlarmDelivery, type AlarmKind } from '@sinebar/contracts';
import { createLogger } from '@sinebar/runtime';
import { describeWith, eventually } from '@sinebar/testing';
import { Webhook } from 'standardwebhooks';
import request from 'supertest';
import { AnalysisClient } from '../../analysis/analysed-part.fixture.ts';
import { MeasurementClient } from '../../measurements/measurement-client.fixture.ts';
import { define, PlanClient } from '../../plan/plan-client.fixture.ts';
import { startInspection, type RunningInspection } from '../../running-inspection.fixture.ts';
import { DeliveryJob } from './jobs/delivery-job.ts';
import { headerOf, partOf, startSmtpReceiver, type ReceivedMail, type SmtpReceiver } from './sending/smtp-receiver.fixture.ts';
import { composeTelling } from './telling.ts';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.fixture.ts';

const SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const START = Date.parse('2026-03-02T10:00:00Z');
const HOUR_MS = 3_600_000;

const work = () => ({ signal: AbortSignal.timeout(60_000), statementTimeoutMs: 60_000 });

describeWith(['postgres'], 'messages about alarms', () => {
  let inspection: RunningInspection;
  let smtp: SmtpReceiver;
  let hooks: WebhookReceiver;
  let nowMs = START;
  let principalOf: (user: StoredUser) => Principal | undefined = () => EVERYONE;
  const now = () => new Date(nowMs);
  const log = createLogger({ service: 'test', level: 'error' });
  const ids = { line: '', cell: '', bore: '', other: '' };
  const settings = () => ({
    SINEBAR_SMTP_URL: smtp.url,
    SINEBAR_MAIL_FROM: 'Sinebar <q@plant.example>',
    SINEBAR_WEBHOOK_HOSTS: ['127.0.0.1'],
    SINEBAR_PUBLIC_URL: 'https://plant.example/quality/',
  });
  const users = { principalOf: (user: StoredUser) => principalOf(user), onToken: () => undefined };

  beforeAll(async () => {
    [smtp, hooks] = [await startSmtpReceiver({ refuse: ['nobody@plant.example'] }), await startWebhookReceiver()];
    inspection = await startInspection(settings(), undefined, { users, now });
    const limits = [2101, 2110, 2111].map((key) => ({ key, entity: 'characteristic', type: 'Float' }) as const);
    await define(
      inspection,
      ...limits,
      { key: 2142, entity: 'characteristic', type: 'AlphaNumeric' },
      { key: 4, entity: 'measurement', type: 'DateTime' },
    );
    const plan = new PlanClient(() => inspection);
    [ids.line = '', ids.cell = '', ids.other = ''] = await plan.create('P:/Line 1/', 'PP:/Line 1/Cell/', 'P:/Other/');
    ids.bore = randomUUID();
    const attributes = { 2101: 20, 2110: 19.9, 2111: 20.1, 2142: 'mm' };
    await plan
      .post('characteristic', [{ uuid: ids.bore, path: String.raw`PPC:/Line 1/Cell/Bore <b>Ø<\/b> & Co/`, attributes }])
      .expect(201);
    const values = Array.from({ length: 30 }, (_unused, i) => ({ [ids.bore]: 20 + Math.sin(i) / 20 }));
    await new AnalysisClient(() => inspection).measure(ids.cell, [...values, { [ids.bore]: 20.2 }]);
  });
  beforeEach(() => {
    nowMs = START;
    principalOf = () => EVERYONE;
    hooks.answer = (response) => response.end();
    hooks.requests.length = 0;
    smtp.mails.length = 0;
  });
  afterEach(() =>
    inspection.database.write(work(), async (session) => {
      for (const table of ['alarm_notice', 'alarm_due', 'alarm_delivery', 'alarm_subscription', 'alarm_subscription_secret', 'alarm'])
        await session.query(`DELETE FROM ${table}`);
    }),
  );
  afterAll(async () => {
    await inspection.stop();
    await Promise.all([smtp.close(), hooks.close()]);
  });

  const subscribe = async (more: object = {}) => {
    const receiver = { kind: 'webhook', url: `${hooks.url}/in`, shape: 'standard', secret: SECRET };
    const made = await request(inspection.server)
      .post('/alarmServiceRest/subscriptions')
      .send({ receiver, partPath: '/', ...more })
      .expect(201);
    return alarmSubscriptionSchema.parse(made.body);
  };
  const byMail = (address = 'ada@plant.example') => ({ receiver: { kind: 'email', address } });

  /** Raises alarms as the judge does. @returns their ids */
  const raise = (more: { count?: number; kind?: AlarmKind; rule?: string; part?: string; muted?: boolean; old?: boolean } = {}) =>
    inspection.database.write(work(), async (session) => {
      const { count = 1, kind = 'tolerance', rule = '', part = ids.cell, muted = false, old = false } = more;
      const raised = await session.query<{ id: string }>(
        `INSERT INTO alarm (uuid, part_id, characteristic_id, kind, rule, chart, state, revision, raised_at, first_at, last_at, point_count,
           last_measurement_id, last_value, detail, owner, reaction, is_muted, is_old)
         SELECT gen_random_uuid(), part.id, item.id, $3, $4, CASE $4 WHEN '' THEN '' ELSE 'location' END, 'raised', 1, $5, m.measured_at,
           m.measured_at, 1, m.id, 20.123456789012, '{"limits":{"lower":19.9,"upper":20.1}}', 'Tool shop', E'Stop.\\nMeasure <again>.', $6, $7
         FROM plan_item part LEFT JOIN plan_item item ON item.part_id = part.id AND item.kind = 'characteristic'
           LEFT JOIN LATERAL (SELECT * FROM measurement WHERE part_id = part.id ORDER BY id DESC LIMIT 1) m ON true,
           generate_series(1, $2::int)
         WHERE part.uuid = $1 RETURNING id::text AS id`,
        [part, count, kind, rule, now(), muted, old],
      );
      await session.query(`INSERT INTO alarm_notice (alarm_id, state, at) SELECT unnest($1::bigint[]), 'raised', $2`, [
        raised.map(({ id }) => id),
        now(),
      ]);
      return raised.map(({ id }) => id);
    });
  const setState = (id: string, state: string, closedBy = '') =>
    inspection.database.write(work(), (session) =>
      session.query('UPDATE alarm SET state = $2, closed_by = $3 WHERE id = $1', [id, state, closedBy]),
    );
  const deliveries = async (query = ''): Promise<AlarmDelivery[]> =>
    alarmDeliveryListSchema.parse((await request(inspection.server).get(`/alarmServiceRest/deliveries${query}`).expect(200)).body);
  const count = (table: string) =>
    inspection.database.read(work(), async (session) => {
      const [row] = await session.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`);
      return row?.count ?? 0;
    });
  const noticesAreTaken = () => eventually(async () => (await count('alarm_notice')) === 0);
  const settled = () =>
    eventually(async () => {
      const list = await deliveries();
      return (
        list.length > 0 && list.every(({ state }) => state !== 'sending' && !(state === 'waiting' && list.some(({ tries }) => tries === 0)))
      );
    });

  it('arrive as mail with everything that its reader needs', async () => {
    await subscribe({ ...byMail(), partPath: '/Line 1' });
    await raise();
    await eventually(() => smtp.mails.length === 1);
    const [mail] = smtp.mails as [ReceivedMail];
    expect(mail.to).toEqual(['ada@plant.example']);
    const subject = decodeURIComponent(
      (headerOf(mail, 'Subject') ?? '')
        .replaceAll(/\?= =\?UTF-8\?Q\?/g, '')
        .replaceAll(/=\?UTF-8\?Q\?|\?=/g, '')
        .replaceAll('_', ' ')
        .replaceAll(/=([0-9A-F]{2})/g, '%$1'),
    );
    expect(subject).toBe('Alarm: Bore <b>Ø</b> & Co: above the upper tolerance limit');
    const text = partOf(mail, 'text/plain');
    for (const line of [
      'Part: Line 1 / Cell',
      'Value: 20.123456789012 mm',
      'Limits: 19.9 – 20.1 mm',
      'Owner: Tool shop',
      'What to do: Stop.',
      'Open the chart: https://plant.example/quality/console/parts/',
      'alarms below /Line 1.',
    ])
      expect(text).toContain(line);
    expect(text).toMatch(/Since: \d/);
    const html = partOf(mail, 'text/html');
    expect(html).toContain('Bore &lt;b&gt;Ø&lt;/b&gt; &amp; Co');
    expect(html).toContain('Stop.<br>Measure &lt;again&gt;.');
    expect(html).toContain('src="cid:values@sinebar"');
    expect(partOf(mail, 'image/png').slice(1, 4)).toBe('PNG');
    expect(headerOf(mail, 'List-Unsubscribe')).toMatch(/^<https:\/\/plant\.example\/quality\/alarmServiceRest\/subscriptions\/.*>$/);
    await eventually(async () => (await deliveries())[0]?.state === 'delivered');
    const [delivery] = await deliveries();
    expect(delivery).toMatchObject({
      state: 'delivered',
      tries: 1,
      alarms: 1,
      test: false,
      receiver: { kind: 'email', to: 'ada@plant.example' },
    });
    expect(delivery?.answer).toContain('250');
    expect(headerOf(mail, 'Message-ID')).toBe(`<${delivery?.uuid}@sinebar>`);
  });

  it('are written in German, and name the broken rule', async () => {
    await subscribe({ ...byMail(), language: 'de' });
    await raise({ kind: 'rule', rule: 'nelson2:7' });
    await eventually(() => smtp.mails.length === 1);
    const text = partOf(smtp.mails[0]!, 'text/plain');
    expect(text).toContain('verletzt eine Regel der Regelkarte: 7 Punkte in Folge auf einer Seite der Mittellinie');
    expect(text).toContain('Wert: 20,123456789012 mm');
  });

  it('arrive as a signed webhook with the alarm', async () => {
    // Receivers refuse old messages.
    nowMs = Date.now();
    const { uuid: subscriptionUuid } = await subscribe();
    await raise();
    await eventually(() => hooks.requests.length === 1);
    const [{ headers, body, path }] = hooks.requests as [(typeof hooks.requests)[0]];
    expect(path).toBe('/in');
    const message = new Webhook(SECRET).verify(body, headers as Record<string, string>);
    expect(message).toMatchObject({
      type: 'alarm.raised',
      data: {
        subscriptionUuid,
        count: 1,
        alarms: [
          { kind: 'tolerance', value: 20.123456789012, unit: 'mm', text: 'above the upper tolerance limit', characteristicUuid: ids.bore },
        ],
      },
    });
    await settled();
    expect((await deliveries())[0]).toMatchObject({ uuid: headers['webhook-id'], state: 'delivered' });
  });

  it('tell a value out of tolerance that was just stored', async () => {
    nowMs = Date.now();
    await subscribe({ kinds: ['tolerance'] });
    const value = {
      uuid: randomUUID(),
      partUuid: ids.cell,
      attributes: { 4: now().toISOString() },
      characteristics: { [ids.bore]: { 1: '20.3' } },
    };
    await new MeasurementClient(() => inspection).post('values', [value]).expect(201);
    await eventually(() => hooks.requests.length === 1);
    expect(JSON.parse(hooks.requests[0]!.body)).toMatchObject({ data: { alarms: [{ value: 20.3, measurementUuid: value.uuid }] } });
  });

  it('have the shapes of Teams and Slack', async () => {
    await subscribe({ receiver: { kind: 'webhook', url: `${hooks.url}/teams/secret`, shape: 'teams' } });
    await subscribe({ receiver: { kind: 'webhook', url: `${hooks.url}/slack/secret`, shape: 'slack' } });
    await raise();
    await eventually(() => hooks.requests.length === 2);
    const bodyAt = (path: string): unknown => JSON.parse(hooks.requests.find((one) => one.path === path)?.body ?? 'null');
    expect(bodyAt('/teams/secret')).toMatchObject({
      type: 'message',
      attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content: { type: 'AdaptiveCard', version: '1.4' } }],
    });
    const card = JSON.stringify(bodyAt('/teams/secret'));
    expect(card).toContain(String.raw`Bore <b\\>Ø</b\\> & Co`);
    const slack = bodyAt('/slack/secret') as { text: string; blocks: { type: string; text?: { type: string; text: string } }[] };
    expect(slack.text).toContain('Bore &lt;b&gt;Ø&lt;/b&gt; &amp; Co');
    expect(slack.blocks[0]).toMatchObject({ type: 'header', text: { type: 'plain_text' } });
    expect(slack.blocks.at(-1)?.text?.text).toMatch(/^<https:\/\/plant\.example\/quality\/console\/parts\/.*\|Open the chart>$/);
    expect((await deliveries()).map(({ receiver }) => receiver.to)).toEqual([hooks.url, hooks.url]);
  });

  it('are tried again with the same id, and fail after a day', async () => {
    hooks.answer = (response) => response.writeHead(500).end('broken');
    await subscribe();
    await raise();
    let tries = 0;
    while ((await deliveries())[0]?.state !== 'failed') {
      tries += 1;
      await eventually(async () => ((await deliveries())[0]?.tries ?? 0) >= tries && (await deliveries())[0]?.state !== 'sending');
      const [delivery] = await deliveries();
      expect(delivery?.answer).toBe('The receiver answered 500: broken');
      if (delivery?.nextTry !== undefined) nowMs = Date.parse(delivery.nextTry);
    }
    const hours = (nowMs - START) / HOUR_MS;
    expect(hours).toBeGreaterThan(22);
    expect(hours).toBeLessThan(26);
    expect(new Set(hooks.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    const [failed] = await deliveries('?state={failed}');
    expect(failed).toMatchObject({ state: 'failed', tries: hooks.requests.length });
    hooks.answer = (response) => response.end();
    await request(inspection.server).post(`/alarmServiceRest/deliveries/${failed?.uuid}/retry`).expect(200);
    await eventually(async () => (await deliveries())[0]?.state === 'delivered');
    expect(hooks.requests.at(-1)?.headers['webhook-id']).toBe(failed?.uuid);
    await request(inspection.server).post(`/alarmServiceRest/deliveries/${failed?.uuid}/retry`).expect(409);
  }, 120_000);

  it('that a mail server refuses fail at once', async () => {
    await subscribe(byMail('nobody@plant.example'));
    await raise();
    await eventually(async () => (await deliveries())[0]?.state === 'failed');
    expect((await deliveries())[0]?.answer).toContain('550');
  });

  it('are sent to others while one receiver hangs', async () => {
    hooks.answer = (response, { path }) => void (path === '/in' && response.end());
    await subscribe({ receiver: { kind: 'webhook', url: `${hooks.url}/hangs`, shape: 'standard' } });
    await subscribe();
    await subscribe(byMail());
    await raise();
    await eventually(() => hooks.requests.some(({ path }) => path === '/in') && smtp.mails.length === 1);
    expect((await deliveries()).map(({ state }) => state)).toContain('sending');
  });

  it.each<[string, object, object]>([
    ['another part', { partPath: '/Other' }, {}],
    ['another kind', { kinds: ['silence'] }, {}],
    ['a planned stop', {}, { muted: true }],
    ['old values', {}, { old: true }],
  ])('say nothing of %s', async (_what, subscription, alarm) => {
    await subscribe({ kinds: ['tolerance'], ...subscription });
    await subscribe({ receiver: { kind: 'webhook', url: `${hooks.url}/witness`, shape: 'standard' }, kinds: ['process'] });
    await raise(alarm);
    await raise({ part: ids.other, kind: 'process' });
    await eventually(() => hooks.requests.length > 0);
    await noticesAreTaken();
    await eventually(async () => (await count('alarm_due')) === 0);
    await settled();
    expect(hooks.requests.map(({ path }) => path)).toEqual(['/witness']);
  });

  it('say nothing of what their owner may not read any more', async () => {
    await subscribe();
    principalOf = () => ({ ...EVERYONE, scopeOf: () => PathScope.below('pother/') });
    await raise();
    await raise({ part: ids.other });
    await eventually(() => hooks.requests.length === 1);
    expect(JSON.parse(hooks.requests[0]!.body)).toMatchObject({ data: { count: 1, alarms: [{ partUuid: ids.other }] } });
  });

  it('are not sent when their owner loses the right or is removed before', async () => {
    hooks.answer = (response) => response.writeHead(503).end();
    await subscribe();
    await raise();
    await eventually(async () => (await deliveries())[0]?.tries === 1 && (await deliveries())[0]?.state === 'waiting');
    principalOf = () => undefined;
    nowMs += 10_000;
    await eventually(async () => (await deliveries())[0]?.state === 'cancelled');
    expect((await deliveries())[0]?.answer).toContain('paused (user)');
    expect(hooks.requests).toHaveLength(1);
  });

  it('collect what comes in quiet hours and leave out what a person has closed [D12.11]', async () => {
    await subscribe({ quietHours: { from: '09:00', to: '12:00' } });
    const [first = '', second = '', byItself = '', withdrawn = ''] = await raise({ count: 5 });
    await noticesAreTaken();
    expect(await deliveries()).toEqual([]);
    await setState(first, 'closed', 'ada');
    await setState(second, 'acknowledged');
    await setState(byItself, 'closed');
    await setState(withdrawn, 'withdrawn');
    nowMs = Date.parse('2026-03-02T12:00:00Z');
    await eventually(() => hooks.requests.length === 1);
    const { data } = JSON.parse(hooks.requests[0]!.body) as { data: { alarms: { state: string }[] } };
    expect(data.alarms.map(({ state }) => state).sort()).toEqual(['acknowledged', 'closed', 'raised']);
  });

  it('escalate only what nobody has acknowledged', async () => {
    await subscribe({ escalateAfterMinutes: 15 });
    const [first = ''] = await raise({ count: 2 });
    await noticesAreTaken();
    await setState(first, 'acknowledged');
    nowMs += 16 * 60_000;
    await eventually(() => hooks.requests.length === 1);
    expect(JSON.parse(hooks.requests[0]!.body)).toMatchObject({ type: 'alarm.escalated', data: { count: 1 } });
  });

  it.each(['withdrawn', 'closed'])('escalate nothing when everything was %s before [D12.11]', async (state) => {
    await subscribe({ escalateAfterMinutes: 15 });
    const [only = ''] = await raise();
    await noticesAreTaken();
    await setState(only, state);
    nowMs += 16 * 60_000;
    await eventually(async () => (await count('alarm_due')) === 0);
    expect(await deliveries()).toEqual([]);
  });

  it('make one message of 10,000 alarms in a digest, and few of them at once', async () => {
    nowMs += 1000;
    const digest = await subscribe({ digest: { everyMinutes: 60 } });
    const atOnce = await subscribe(byMail());
    await raise({ count: 10_000 });
    await noticesAreTaken();
    nowMs += HOUR_MS;
    await eventually(async () => (await count('alarm_due')) === 0);
    await settled();
    const list = await deliveries();
    const of = ({ uuid }: { uuid: string }) => list.filter(({ subscriptionUuid }) => subscriptionUuid === uuid);
    expect(of(digest)).toMatchObject([{ alarms: 10_000 }]);
    expect(of(atOnce).length).toBeLessThanOrEqual(10);
    expect(of(atOnce).reduce((sum, { alarms }) => sum + alarms, 0)).toBe(10_000);
    const body = JSON.parse(hooks.requests[0]!.body) as { data: { count: number; alarms: object[] } };
    expect([body.data.count, body.data.alarms.length]).toEqual([10_000, 100]);
    expect(partOf(smtp.mails.at(-1)!, 'text/plain')).toContain('further alarms are not described here');
  }, 120_000);

  it('are sent once by two replicas', async () => {
    const second = composeTelling({ database: inspection.database, users, settings: settings(), hide: (item) => item, now, log });
    for (const job of Object.values(second.jobs)) job.start();
    await subscribe();
    for (let i = 0; i < 15; i += 1) {
      await raise({ count: 2 });
      second.jobs.notices.wake();
    }
    await noticesAreTaken();
    await eventually(async () => (await count('alarm_due')) === 0);
    await settled();
    await Promise.all(Object.values(second.jobs).map((job) => job.stop()));
    await second.stop();
    const told = hooks.requests.flatMap(({ body }) => (JSON.parse(body) as { data: { alarms: { uuid: string }[] } }).data.alarms);
    expect(told).toHaveLength(30);
    expect(new Set(told.map(({ uuid }) => uuid)).size).toBe(30);
    expect(new Set(hooks.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(hooks.requests.length);
  });

  it('are sent again with the same id by another replica after a kill [D12.11]', async () => {
    await subscribe();
    const due = new Date(START + HOUR_MS);
    const uuid = randomUUID();
    await inspection.database.write(work(), (session) =>
      session.query(
        `INSERT INTO alarm_delivery (uuid, subscription_id, state, is_test, alarm_ids, created_at, next_at, tries, all_tries, answer)
         SELECT $1, id, 'waiting', true, '{}', $2, $2, 0, 0, '' FROM alarm_subscription`,
        [uuid, due],
      ),
    );
    // A replica whose clock is an hour ahead takes the message and ends while it sends.
    const sender = {
      send: (_delivery: object, signal: AbortSignal) =>
        new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('killed')))),
    };
    const killed = new DeliveryJob({ database: inspection.database, sender, now: () => due, log });
    await killed.step(new AbortController().signal);
    await killed.stop();
    expect((await deliveries())[0]).toMatchObject({ uuid, state: 'sending', tries: 1 });
    nowMs = due.getTime() + 60_000;
    const { uuid: witness } = await subscribe({ receiver: { kind: 'webhook', url: `${hooks.url}/witness`, shape: 'standard' } });
    await request(inspection.server).post(`/alarmServiceRest/subscriptions/${witness}/test`).expect(201);
    await eventually(() => hooks.requests.length > 0);
    expect(hooks.requests.map(({ path }) => path)).toEqual(['/witness']);
    nowMs = due.getTime() + 91_000;
    await eventually(async () => (await deliveries()).every(({ state }) => state === 'delivered'));
    expect(hooks.requests.find(({ path }) => path === '/in')?.headers['webhook-id']).toBe(uuid);
    expect((await deliveries()).find((one) => one.uuid === uuid)?.tries).toBe(2);
  });

  it('survive a clock that jumps', async () => {
    await subscribe();
    await raise();
    await eventually(() => hooks.requests.length === 1);
    await settled();
    hooks.answer = (response) => response.writeHead(500).end();
    await raise();
    await eventually(() => hooks.requests.length === 2);
    await eventually(async () => (await deliveries())[0]?.state === 'waiting');
    // The time of the next try now lies a day ahead.
    nowMs -= 24 * HOUR_MS;
    hooks.answer = (response) => response.end();
    await eventually(async () => (await deliveries())[0]?.state === 'delivered');
  });

  it('are tested on request', async () => {
    const { uuid } = await subscribe(byMail());
    await request(inspection.server).post(`/alarmServiceRest/subscriptions/${uuid}/test`).expect(201);
    await eventually(() => smtp.mails.length === 1);
    expect(headerOf(smtp.mails[0]!, 'Subject')).toBe('Test message about alarms');
    await eventually(async () => (await deliveries())[0]?.state === 'delivered');
    expect((await deliveries())[0]).toMatchObject({ test: true, alarms: 0, state: 'delivered' });
  });
});
