import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PART_RIGHTS, SERVER_RIGHTS } from '@sinebar/access-control';
import { CHROMIUM, describeWithChromium, eventually } from '@sinebar/testing';
import { chromium, type Browser } from 'playwright-core';
import { startSecuredServer, type SecuredServer } from '../secured-server.fixture.ts';

const LIMIT_MS = 90_000;
const PUBLIC_URL = 'https://quality.example';
/** Argon2id of "feihc", cheap on purpose. */
const CHIEF = '$argon2id$v=19$m=1024,t=1,p=1$idyDDFmhOlybWg5wQvdYnQ$8KAKkuqFkOBVdosMM1e/Z2LtgwkiYOcBo7vjxJJx0wE';
const POLICY = {
  roles: { chief: { grants: [{ path: '/', rights: [...PART_RIGHTS] }, { rights: [...SERVER_RIGHTS] }] } },
  users: { chief: { password: CHIEF, roles: ['chief'] } },
};
const authorization = `Basic ${Buffer.from('chief:feihc').toString('base64')}`;
const SUBSCRIPTIONS = '/alarmServiceRest/subscriptions';

/** Accepts every mail. @param mails gets their texts */
async function startMailServer(mails: string[]): Promise<Server> {
  const server = createServer((socket) => {
    let received = '';
    let isData = false;
    socket.on('error', () => undefined);
    socket.write('220 test\r\n');
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      const end = isData ? '\r\n.\r\n' : '\r\n';
      if (!received.endsWith(end)) return;
      if (isData) mails.push(received);
      const isBegin = !isData && /^DATA/i.test(received);
      socket.write(isBegin ? '354 go on\r\n' : '250 done\r\n');
      isData = isBegin;
      received = '';
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

describeWithChromium('the page behind the link of a mail about alarms', () => {
  const mails: string[] = [];
  let mailServer: Server;
  let product: SecuredServer;
  let browser: Browser;
  beforeAll(async () => {
    mailServer = await startMailServer(mails);
    product = await startSecuredServer(POLICY, {
      SINEBAR_AUTHENTICATION: 'basic',
      SINEBAR_SMTP_URL: `smtp://127.0.0.1:${(mailServer.address() as AddressInfo).port}`,
      SINEBAR_MAIL_FROM: 'q@plant.example',
      SINEBAR_PUBLIC_URL: PUBLIC_URL,
    });
    browser = await chromium.launch({ ...CHROMIUM, timeout: LIMIT_MS });
  }, LIMIT_MS);
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
    mailServer?.close();
  }, LIMIT_MS);

  it('ends the subscription with its button, without a sign-in [D12.12]', async () => {
    const send = (method: string, path: string, body?: unknown) => product.send(method, path, { authorization }, body);
    const receiver = { kind: 'email', address: 'ada@plant.example' };
    const { uuid } = (await send('POST', SUBSCRIPTIONS, { receiver, partPath: '/' })).body as { uuid: string };
    await send('POST', `${SUBSCRIPTIONS}/${uuid}/test`);
    await eventually(() => mails.length > 0);
    const [, link = ''] = /^List-Unsubscribe: <([^>]*)>/im.exec(mails[0]!.replaceAll(/\r\n\s+/g, ' ')) ?? [];
    expect(link).toMatch(new RegExp(`^${PUBLIC_URL}${SUBSCRIPTIONS}/${uuid}/unsubscribe\\?token=`));
    const page = await browser.newPage({ locale: 'de-DE', viewport: { width: 700, height: 360 } });
    const problems: string[] = [];
    page.on('console', (message) => void problems.push(message.text()));
    await page.goto(link.replace(PUBLIC_URL, `http://127.0.0.1:${product.port}`));
    expect(await page.innerText('p')).toContain('ada@plant.example');
    await page.getByRole('button', { name: 'Abonnement beenden' }).click();
    await page.getByText('Das Abonnement ist beendet.').waitFor();
    expect((await send('GET', SUBSCRIPTIONS)).body).toEqual([]);
    expect(problems.filter((text) => !text.includes('favicon'))).toEqual([]);
  });
});
