import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeUnless, eventually } from '@sinebar/testing';
import { WebhookAddresses } from './webhook-address.ts';
import { WebhookSender } from './webhook-sender.ts';

const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const BODY = JSON.stringify({ data: { alarms: [{ partPath: 'P:/Pump/', text: 'above', value: 10.27 }] } });
const hasPython = spawnSync('python3', ['--version']).status === 0;

describeUnless(hasPython ? undefined : 'needs python3', 'the program in Python of the guide to webhooks', () => {
  let receiver: ChildProcess;
  let url = '';
  let printed = '';
  beforeAll(async () => {
    const guide = readFileSync(new URL('../../../../../../docs/guides/receive-a-webhook.md', import.meta.url), 'utf8');
    const [, program = ''] = /```python\n([^]*?)```/.exec(guide) ?? [];
    const port = await freePort();
    url = `http://127.0.0.1:${port}/alarms`;
    receiver = spawn('python3', ['-c', program], {
      env: { ...process.env, SECRET, PORT: `${port}` },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    receiver.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    await eventually(async () => (await fetch(url, { method: 'POST', body: '' }).catch(() => undefined)) !== undefined);
  });
  afterAll(() => void receiver.kill());

  const send = (id: string, secret: string, at = new Date()) =>
    new WebhookSender(new WebhookAddresses(['127.0.0.1'])).send({ id, url, body: BODY, secret, at }, new AbortController().signal);

  it('prints each alarm once', async () => {
    for (let i = 0; i < 2; i += 1) expect((await send('first', SECRET)).answer).toBe('The receiver answered 204.');
    await eventually(() => printed.includes('\n'));
    expect(printed).toBe('P:/Pump/ above 10.27\n');
  });

  it('refuses another secret and an old message', async () => {
    expect((await send('second', `whsec_${Buffer.alloc(32, 6).toString('base64')}`)).answer).toBe('The receiver answered 401.');
    expect((await send('third', SECRET, new Date(Date.now() - 600_000))).answer).toBe('The receiver answered 401.');
  });

  it.each([
    { 'webhook-timestamp': '\u00b2', 'webhook-signature': 'v1,' },
    { 'webhook-timestamp': `${Math.floor(Date.now() / 1000)}`, 'webhook-signature': 'v1,\u00e9' },
    {},
  ])('answers 401 to the headers %j', async (headers: Record<string, string>) => {
    expect((await fetch(url, { method: 'POST', body: BODY, headers })).status).toBe(401);
  });
});

/** Finds a port that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
