import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { SinebarClient } from '@sinebar/client';
import { eventually } from '@sinebar/testing';
import { startSinebar, typed, type RunningSinebar } from '../../running-sinebar.fixture.ts';
import { backupCommand } from './backup-command.ts';
import { restoreCommand } from './restore-command.ts';

let root: string;
let original: RunningSinebar;
let restored: RunningSinebar;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'sinebar-alarms-'));
  original = await startSinebar(join(root, 'data'));
}, 120_000);
afterAll(async () => {
  await Promise.all([original.stop(), restored?.stop()]);
  await rm(root, { recursive: true, force: true });
});

const [part, bore, length] = [randomUUID(), randomUUID(), randomUUID()];
const measure = (client: SinebarClient, characteristic: string, value: string) =>
  client.measurements.createWithValues([
    {
      uuid: randomUUID(),
      partUuid: part,
      attributes: { 4: new Date().toISOString() },
      characteristics: { [characteristic]: { 1: value } },
    },
  ]);
/** Waits for alarms. @returns them with their steps, the newest first */
async function alarmsOf(client: SinebarClient, count: number): Promise<unknown[]> {
  const list = () => client.alarms.list({ partUuid: part });
  await eventually(async () => (await list()).length === count, { describe: `${count} alarms`, timeoutMs: 30_000 });
  return Promise.all((await list()).map(({ uuid }) => client.alarms.get(uuid)));
}

it('judged alarms are restored with their steps, and nobody is told of them again', async () => {
  const { client } = original;
  const limit = { definitionType: 'AttributeDefinition', type: 'Float', description: 'limit' } as const;
  await client.configuration.create(
    'characteristic',
    [2110, 2111].map((key) => ({ ...limit, key })),
  );
  await client.parts.create([{ uuid: part, path: 'P:/Pump/' }]);
  await client.characteristics.create([
    { uuid: bore, path: 'PC:/Pump/Bore/', attributes: { 2110: '9', 2111: '11' } },
    { uuid: length, path: 'PC:/Pump/Length/', attributes: { 2110: '9', 2111: '11' } },
  ]);
  const receiver = { kind: 'webhook', url: 'https://hooks.invalid/alarms', shape: 'standard' } as const;
  await client.subscriptions.create({ receiver, partPath: '/Pump' });
  await measure(client, bore, '12');
  const [{ uuid } = { uuid: '' }] = (await alarmsOf(client, 1)) as { uuid: string }[];
  const told = () => client.subscriptions.deliveries();
  await eventually(async () => (await told()).length === 1, { describe: 'a message', timeoutMs: 30_000 });
  await client.alarms.update(uuid, { state: 'acknowledged', note: 'Seen.' });
  const before = await alarmsOf(client, 1);
  expect(before).toMatchObject([{ state: 'acknowledged', points: 1, value: 12, steps: [{ state: 'raised' }, { state: 'acknowledged' }] }]);

  expect((await typed(backupCommand, [join(root, 'backup')], { SINEBAR_DATA_DIR: join(root, 'data') })).code).toBe(0);
  expect((await typed(restoreCommand, [join(root, 'backup')], { SINEBAR_DATA_DIR: join(root, 'restored') })).code).toBe(0);
  restored = await startSinebar(join(root, 'restored'));
  const copy = restored.client;
  expect(await alarmsOf(copy, 1)).toEqual(before);
  expect(await copy.subscriptions.deliveries()).toEqual([]);

  // A point of the same run belongs to the restored alarm; only the alarm about another characteristic is told.
  await copy.subscriptions.create({ receiver, partPath: '/Pump' });
  await measure(copy, bore, '12.5');
  await measure(copy, length, '12');
  const after = await alarmsOf(copy, 2);
  expect(after).toContainEqual(expect.objectContaining({ uuid, state: 'acknowledged', points: 2, value: 12.5 }));
  await eventually(async () => (await copy.subscriptions.deliveries()).length > 0, { describe: 'a message', timeoutMs: 30_000 });
  expect(await copy.subscriptions.deliveries()).toEqual([expect.objectContaining({ alarms: 1 })]);
}, 120_000);
