import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { alarmSubscriptionListSchema, alarmSubscriptionSchema } from '@sinebar/contracts';
import { describeWith, eventually } from '@sinebar/testing';
import request from 'supertest';
import { startInspection, type RunningInspection } from '../../../running-inspection.fixture.ts';
import { headerOf, startSmtpReceiver, type SmtpReceiver } from '../sending/smtp-receiver.fixture.ts';

const PATH = '/alarmServiceRest/subscriptions';
const PUBLIC_URL = 'https://plant.example/quality';
const ADA = { receiver: { kind: 'email', address: 'ada@plant.example' }, partPath: '/' };
const work = () => ({ signal: AbortSignal.timeout(60_000), statementTimeoutMs: 60_000 });

describeWith(['postgres'], 'the link of a mail about alarms', () => {
  let inspection: RunningInspection;
  let smtp: SmtpReceiver;
  const settings = () => ({ SINEBAR_SMTP_URL: smtp.url, SINEBAR_MAIL_FROM: 'q@plant.example' });

  beforeAll(async () => {
    smtp = await startSmtpReceiver();
    inspection = await startInspection({ ...settings(), SINEBAR_PUBLIC_URL: `${PUBLIC_URL}/` });
  });
  beforeEach(async () => {
    smtp.mails.length = 0;
    for (const { uuid } of await subscriptions()) await request(inspection.server).delete(`${PATH}/${uuid}`).expect(200);
  });
  afterAll(async () => {
    await inspection.stop();
    await smtp.close();
  });

  const subscriptions = async () => alarmSubscriptionListSchema.parse((await request(inspection.server).get(PATH).expect(200)).body);
  const isThere = async (uuid: string) => (await subscriptions()).some((one) => one.uuid === uuid);
  const subscribe = async (body: object = ADA) =>
    alarmSubscriptionSchema.parse((await request(inspection.server).post(PATH).send(body).expect(201)).body).uuid;
  /** Sends a test message. @returns the address in its header, as the server sees it behind a proxy */
  const mailedLink = async (uuid: string, { server } = inspection) => {
    const before = smtp.mails.length;
    await request(server).post(`${PATH}/${uuid}/test`).expect(201);
    await eventually(() => smtp.mails.length > before);
    return headerOf(smtp.mails.at(-1)!, 'List-Unsubscribe')?.replace(`<${PUBLIC_URL}`, '').replace(/>$/, '') ?? '';
  };
  const oneClick = (link: string) => request(inspection.server).post(link).type('form').send('List-Unsubscribe=One-Click');

  it('ends the subscription in one click, once and for all, and no other one [D12.12]', async () => {
    const [uuid, other] = [await subscribe(), await subscribe()];
    const link = await mailedLink(uuid);
    expect(link).toMatch(new RegExp(`^${PATH}/${uuid}/unsubscribe\\?token=[\\w-]{43}$`));
    expect(headerOf(smtp.mails[0]!, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
    const ended = await oneClick(link)
      .expect(200)
      .expect('Content-Type', /text\/html/);
    expect(ended.text).toContain('The subscription has ended.');
    expect(await isThere(uuid)).toBe(false);
    expect(await isThere(other)).toBe(true);
    expect((await oneClick(link).expect(200)).text).toBe(ended.text);
  });

  it('leads to a page that asks first, since programs follow links [D12.12]', async () => {
    const uuid = await subscribe();
    const link = await mailedLink(uuid);
    const page = await request(inspection.server).get(link).set('Accept-Language', 'fr, de;q=0.9, en;q=0.8').expect(200);
    expect(page.text).toContain('Dieses Abonnement beenden?');
    expect(page.text).toContain('ada@plant.example');
    expect(page.text).toContain('<form method="post">');
    expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'same-origin' });
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    await request(inspection.server).head(link).expect(200);
    expect(await isThere(uuid)).toBe(true);
    await oneClick(link).expect(200);
    const after = await request(inspection.server).get(link).expect(200);
    expect(after.text).toContain('The subscription has ended.');
    expect(after.text).not.toContain('<form');
  });

  it.each<[string, (link: string, other: string) => string, number]>([
    ['another signature', (link) => link.replace(/token=.*/, `token=${'A'.repeat(43)}`), 403],
    ['a shorter one', (link) => link.slice(0, -1), 403],
    ['that of another subscription', (link, other) => link.replace(/token=.*/, /token=.*/.exec(other)?.[0] ?? ''), 403],
    ['an empty one', (link) => link.replace(/token=.*/, 'token='), 400],
    ['none', (link) => link.replace(/\?.*/, ''), 400],
  ])('ends nothing with %s [D12.12]', async (_what, change, status) => {
    const [uuid, other] = [await subscribe(), await subscribe()];
    const link = change(await mailedLink(uuid), await mailedLink(other));
    const refused = await oneClick(link).expect(status);
    expect(refused.text).toContain(status === 403 ? 'does not end the subscription' : 'token');
    await request(inspection.server).get(link).expect(status);
    expect(await isThere(uuid)).toBe(true);
  });

  it('works after a change, but not for another address or another kind of receiver [D12.12]', async () => {
    const uuid = await subscribe();
    const link = await mailedLink(uuid);
    const change = (body: object) => request(inspection.server).put(`${PATH}/${uuid}`).send(body).expect(200);
    await change({ ...ADA, kinds: ['rule'] });
    await request(inspection.server).get(link).expect(200);
    await change({ ...ADA, receiver: { kind: 'email', address: 'bob@plant.example' } });
    expect((await oneClick(link).expect(403)).text).not.toContain('bob@');
    await change({ ...ADA, receiver: { kind: 'webhook', url: 'https://hooks.example/in', shape: 'standard' } });
    await oneClick(link).expect(403);
    await change(ADA);
    await oneClick(link).expect(403);
    await oneClick(await mailedLink(uuid)).expect(200);
    expect(await isThere(uuid)).toBe(false);
  });

  it('is another one after a restore, since backups hold no secrets [D12.12]', async () => {
    const uuid = await subscribe();
    const link = await mailedLink(uuid);
    await inspection.database.write(work(), (session) => session.query('DELETE FROM alarm_subscription_secret'));
    await oneClick(link).expect(403);
    await oneClick(await mailedLink(uuid)).expect(200);
  });

  it('is in no mail of a server without a public address [D12.12]', async () => {
    const local = await startInspection(settings());
    const made = await request(local.server).post(PATH).send(ADA).expect(201);
    expect(await mailedLink(alarmSubscriptionSchema.parse(made.body).uuid, local)).toBe('');
    expect(headerOf(smtp.mails[0]!, 'List-Unsubscribe-Post')).toBeUndefined();
    await local.stop();
  });
});
