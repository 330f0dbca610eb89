import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { MailSender, type Mail } from './mail-sender.ts';
import { headerOf, partOf, startSmtpReceiver, type ReceivedMail } from './smtp-receiver.fixture.ts';

const SIGNAL = new AbortController().signal;
const MAIL: Mail = {
  id: '7f1c2b2e-6b1c-4b27-9d0e-54c1f2a7b012',
  to: 'ada@plant.example',
  subject: 'Alarm: Bohrung Ø',
  text: 'Ein Ø',
  html: '<p>Ein Ø</p>',
  picture: { cid: 'values@sinebar', png: Buffer.from('PNG') },
  unsubscribe: `https://plant.example/alarmServiceRest/subscriptions/7f1c2b2e-6b1c-4b27-9d0e-54c1f2a7b011/unsubscribe?token=${'x'.repeat(43)}`,
  at: new Date('2026-03-02T06:00:00Z'),
};
const FROM = 'Sinebar <q@plant.example>';

describe('a mail', () => {
  it('arrives with text, HTML, picture and the way to end it', async () => {
    const receiver = await startSmtpReceiver();
    const result = await new MailSender({ url: receiver.url, from: FROM }).send(MAIL, SIGNAL);
    await receiver.close();
    expect(result.state).toBe('delivered');
    expect(result.answer).toContain('250');
    const [mail] = receiver.mails as [ReceivedMail];
    expect(mail.to).toEqual(['ada@plant.example']);
    expect(headerOf(mail, 'From')).toBe(FROM);
    expect(headerOf(mail, 'Subject')).toBe('=?UTF-8?Q?Alarm=3A_Bohrung_=C3=98?=');
    expect(headerOf(mail, 'Message-ID')).toBe(`<${MAIL.id}@sinebar>`);
    expect(headerOf(mail, 'List-Unsubscribe')).toBe(`<${MAIL.unsubscribe}>`);
    expect(headerOf(mail, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
    expect(headerOf(mail, 'Auto-Submitted')).toBe('auto-generated');
    expect(partOf(mail, 'text/plain')).toContain('Ein Ø');
    expect(partOf(mail, 'text/html')).toContain('<p>Ein Ø</p>');
    expect(partOf(mail, 'image/png')).toBe('PNG');
  });

  it.each([
    ['without a link', undefined, undefined],
    ['with a link without TLS', 'http://plant.example/x', '<http://plant.example/x>'],
  ])('%s promises no end in one click', async (_what, unsubscribe, header) => {
    const receiver = await startSmtpReceiver();
    await new MailSender({ url: receiver.url, from: FROM }).send({ ...MAIL, unsubscribe }, SIGNAL);
    await receiver.close();
    expect(headerOf(receiver.mails[0]!, 'List-Unsubscribe')).toBe(header);
    expect(headerOf(receiver.mails[0]!, 'List-Unsubscribe-Post')).toBeUndefined();
  });

  it('takes no header from a subject or an address', async () => {
    const receiver = await startSmtpReceiver();
    const sender = new MailSender({ url: receiver.url, from: FROM });
    await sender.send({ ...MAIL, subject: 'x\r\nBcc: eve@evil.example\r\n\r\nbody' }, SIGNAL);
    await sender.send({ ...MAIL, to: 'ada@plant.example>\r\nBcc: <eve@evil.example' }, SIGNAL);
    await receiver.close();
    expect(receiver.mails.flatMap(({ to }) => to)).not.toContain('eve@evil.example');
    for (const mail of receiver.mails) expect(headerOf(mail, 'Bcc')).toBeUndefined();
  });

  it('to an address that the server refuses has failed', async () => {
    const receiver = await startSmtpReceiver({ refuse: [MAIL.to] });
    const result = await new MailSender({ url: receiver.url, from: FROM }).send(MAIL, SIGNAL);
    await receiver.close();
    expect(result.state).toBe('failed');
    expect(result.answer).toContain('550');
  });

  it('waits while the server is down', async () => {
    const result = await new MailSender({ url: 'smtp://127.0.0.1:1', from: FROM }).send(MAIL, SIGNAL);
    expect(result.state).toBe('waiting');
    expect(result.answer).toContain('ECONNREFUSED');
  });

  it('waits while the server takes too long', async () => {
    const receiver = await startSmtpReceiver({ hang: true });
    const result = await new MailSender({ url: receiver.url, from: FROM }, 500).send(MAIL, SIGNAL);
    expect(result.state).toBe('waiting');
    await receiver.close();
  });

  it('waits while the server does not even greet', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const url = `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const result = await new MailSender({ url, from: FROM }, 500).send(MAIL, SIGNAL);
    expect(result.state).toBe('waiting');
    silent.close();
  });

  it('does not name the password of the server', async () => {
    const result = await new MailSender({ url: 'smtp://q:topsecret@127.0.0.1:1', from: FROM }).send(MAIL, SIGNAL);
    expect(result.answer).not.toContain('topsecret');
  });
});
