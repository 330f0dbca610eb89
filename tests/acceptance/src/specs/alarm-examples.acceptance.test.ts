import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SinebarClient, type Alarm, type AlarmSubscription } from '@sinebar/client';
import { PrintedPrograms } from '../support/product/printed-programs.ts';
import { temporaryFolder, type StartedProduct } from '../support/product/product.ts';
import type { Variant } from '../support/product/variant.ts';
import { smallestKinds } from '../support/product/variants.ts';
import { notedFetch, until } from '../support/requests/rest-client.ts';

const PRINTED_RECEIVER = 'http://127.0.0.1:9000';
const run = promisify(execFile);

interface Message {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

describe.each(await smallestKinds('the curl of docs/alarms.md'))('the curl of docs/alarms.md, $name', (kind) => {
  const folder = temporaryFolder();
  const messages: Message[] = [];
  const receiver = createServer((request, response) => {
    void buffer(request).then((body) => {
      messages.push({ headers: request.headers, body });
      response.end();
    });
  });
  let variant: Variant;
  let product: StartedProduct;
  let sinebar: SinebarClient;
  let programs: PrintedPrograms;
  let receiverUrl = '';
  const [pump, bore] = [randomUUID(), randomUUID()];
  beforeAll(async () => {
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    variant = await kind.create();
    product = await variant.start({ SINEBAR_WEBHOOK_HOSTS: '127.0.0.1' });
    sinebar = new SinebarClient({ url: product.url, fetch: notedFetch });
    programs = new PrintedPrograms('docs/alarms.md', product.url);
    const limit = { definitionType: 'AttributeDefinition', type: 'Float', key: 2111, description: 'upper limit' } as const;
    await sinebar.configuration.create('characteristic', [limit]);
    await sinebar.parts.create([{ uuid: pump, path: 'P:/Pump/' }]);
    await sinebar.characteristics.create([{ uuid: bore, path: 'PC:/Pump/Bore/', attributes: { 2111: '20.1' } }]);
    await measure(20.2);
    await until('the alarm', async () => (await sinebar.alarms.count({ partPath: '/Pump' })) === 1);
  }, 150_000);
  afterAll(async () => {
    await product.stop();
    await variant.remove();
    receiver.closeAllConnections();
    receiver.close();
    folder.remove();
  }, 70_000);

  const measure = (value: number) =>
    sinebar.measurements.createWithValues([
      { uuid: randomUUID(), partUuid: pump, attributes: { 4: new Date().toISOString() }, characteristics: { [bore]: { 1: value } } },
    ]);
  /** Runs an example of the page. @returns what it prints */
  const example = async (name: string, env: Readonly<Record<string, string>> = {}): Promise<string> => {
    const [code, ...more] = programs.blocks(`sh ${name}`);
    expect(more).toEqual([]);
    const script = (code ?? '').replaceAll(PRINTED_RECEIVER, receiverUrl);
    const options = { cwd: folder.path, env: { ...process.env, ...env }, timeout: 60_000 };
    return (await run('bash', ['-euo', 'pipefail', '-c', script], options)).stdout;
  };

  it('lists the open alarms', async () => {
    expect(JSON.parse(await example('list'))).toMatchObject([{ state: 'raised', kind: 'tolerance', value: 20.2, partPath: 'P:/Pump/' }]);
  });

  it('acknowledges the newest one', async () => {
    const { uuid, state, note } = JSON.parse(await example('acknowledge')) as Alarm;
    expect({ state, note }).toEqual({ state: 'acknowledged', note: 'On my way.' });
    expect(await sinebar.alarms.get(uuid)).toMatchObject({ state, note });
  });

  it('subscribes, and verifies the message of the next alarm', async () => {
    const { receiver: webhook } = JSON.parse(await example('subscribe')) as AlarmSubscription;
    const secret = webhook.kind === 'webhook' ? (webhook.secret ?? '') : '';
    expect(secret).toMatch(/^whsec_/);
    await measure(20);
    await measure(20.3);
    await until('the message', () => messages.length > 0);
    const [{ headers, body }] = messages as [Message];
    writeFileSync(join(folder.path, 'body.json'), body);
    const env = {
      SECRET: secret,
      ID: String(headers['webhook-id']),
      TIMESTAMP: String(headers['webhook-timestamp']),
      SIGNATURE: String(headers['webhook-signature']),
    };
    expect(await example('verify', env)).toBe('The signature is right.\n');
    await expect(example('verify', { ...env, ID: randomUUID() })).rejects.toThrow('Command failed');
  });
});
