import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ACTION_ATTRIBUTE, CAUSE_ATTRIBUTE, ROOT_PART_UUID, type Alarm, type SinebarClient } from '@sinebar/client';
import { eventually } from '@sinebar/testing';
import yazl from 'yazl';
import { startSinebar, typed, type RunningSinebar } from '../../running-sinebar.fixture.ts';
import { SILENT_PROGRESS } from '../../command-line/progress.ts';
import { ArchiveReader } from './archive.ts';
import { Conflicts } from './conflicts.ts';
import { exportCommand } from './export-command.ts';
import { importArchive } from './import-archive.ts';
import { planStop } from './import-alarms.ts';
import { importCommand } from './import-command.ts';

const [LINE, BORE, DEPTH, SUBSCRIPTION] = Array.from({ length: 4 }, () => randomUUID()) as [string, string, string, string];
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const PATH = '/Line';

let root: string;
let from: RunningSinebar;
let to: RunningSinebar;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'sinebar-alarms-'));
  [from, to] = await Promise.all([startSinebar(join(root, 'from')), startSinebar(join(root, 'to'))]);
  await fill(from.client);
  const receiver = { kind: 'webhook', url: 'https://hooks.example/', shape: 'standard' } as const;
  await to.client.subscriptions.create({ uuid: SUBSCRIPTION, receiver, partPath: '/' });
}, 180_000);
afterAll(async () => {
  await Promise.all([from?.stop(), to?.stop()]);
  await rm(root, { recursive: true, force: true });
});

const isJudged = (client: SinebarClient) => eventually(async () => !(await client.alarms.isPending()), { timeoutMs: 60_000 });
const measure = (client: SinebarClient, ageMs: number, characteristics: Readonly<Record<string, number>>) => {
  const uuid = randomUUID();
  const values = Object.fromEntries(Object.entries(characteristics).map(([key, value]) => [key, { 1: String(value) }]));
  const attributes = { 4: new Date(Date.now() - ageMs).toISOString() };
  return client.measurements.createWithValues([{ uuid, partUuid: LINE, attributes, characteristics: values }]).then(() => uuid);
};

/** A part with an alarm in each state, two of which were raised by old values. */
async function fill(client: SinebarClient): Promise<void> {
  const text = { definitionType: 'AttributeDefinition', type: 'AlphaNumeric', length: 40 } as const;
  const said = { [CAUSE_ATTRIBUTE]: 'tool worn', [ACTION_ATTRIBUTE]: 'tool changed' };
  for (const [key, entry] of Object.entries(said)) {
    await client.configuration.create('catalog', [{ ...text, key: Number(key), description: entry }]);
    const catalogEntries = [{ key: 7, attributes: { [key]: entry } }];
    await client.catalogs.create([{ uuid: randomUUID(), name: entry, validAttributes: [Number(key)], catalogEntries }]);
  }
  const number = { definitionType: 'AttributeDefinition', type: 'Float', description: 'limit' } as const;
  const limits = [2101, 2110, 2111].map((key) => ({ ...number, key }));
  await client.configuration.create('characteristic', limits);
  await client.parts.create([{ uuid: LINE, path: 'P:/Line/' }]);
  const attributes = { 2101: '20', 2110: '19.9', 2111: '20.1' };
  await client.characteristics.create([
    { uuid: BORE, path: 'PC:/Line/bore/', attributes },
    { uuid: DEPTH, path: 'PC:/Line/depth/', attributes },
  ]);
  const owner = { owner: 'Tool shop', reaction: 'Stop.' };
  await client.analysis.putEvaluation({ partUuid: LINE }, owner, { reason: 'a test' });
  await measure(client, 3 * DAY_MS, { [BORE]: 20.3 });
  await measure(client, 2 * DAY_MS, { [BORE]: 20 });
  const withdrawn = await measure(client, 90 * MINUTE_MS, { [DEPTH]: 21 });
  await isJudged(client);
  const [first, second] = await client.alarms.list();
  if (!first || !second) throw new Error('nothing was raised');
  const [old, fresh] = first.old ? [first, second] : [second, first];
  await client.alarms.update(old.uuid, { state: 'closed', cause: 7, action: 7, note: 'Changed.' });
  await client.alarms.update(fresh.uuid, { state: 'acknowledged' });
  await client.measurements.delete({ measurementUuids: [withdrawn] });
  for (const age of [30, 29]) await measure(client, age * MINUTE_MS, { [BORE]: 20.4, [DEPTH]: 20 });
  await measure(client, 28 * MINUTE_MS, { [BORE]: 20.2, [DEPTH]: 19 });
  await isJudged(client);
  const raised = (await client.alarms.list({ state: ['raised'] })).find(({ characteristicUuid }) => characteristicUuid === DEPTH);
  await client.alarms.update(raised?.uuid ?? '', { state: 'acknowledged', note: 'Seen.' });
}

/** Reads all alarms with their steps and points. */
const alarmsOf = async ({ client }: RunningSinebar): Promise<Alarm[]> => {
  const alarms: Alarm[] = [];
  for (const { uuid } of await client.alarms.list({ partPath: PATH })) {
    const { etag: _etag, ...alarm } = await client.alarms.get(uuid);
    alarms.push(alarm);
  }
  return alarms;
};
const exported = (name: string) => typed(exportCommand, ['--server', from.url, '--path', PATH, join(root, name)], {});
const imported = (name: string) => typed(importCommand, ['--server', to.url, join(root, name)], {});

/** Copies an archive with another manifest, without some entries. */
async function copyArchive(source: string, target: string, manifest: object, without: readonly string[] = []): Promise<void> {
  const archive = await ArchiveReader.open(join(root, source));
  const zip = new yazl.ZipFile();
  for (const name of archive.names('').filter((entry) => !without.includes(entry))) {
    const content =
      name === 'manifest.json'
        ? Buffer.from(JSON.stringify({ ...((await json(await archive.stream(name))) as object), ...manifest }))
        : await buffer(await archive.stream(name));
    zip.addBuffer(content, name);
  }
  archive.close();
  zip.end();
  await writeFile(join(root, target), await buffer(zip.outputStream));
}

it('an export holds all alarms, and says that it is whole [D12.13]', async () => {
  expect((await alarmsOf(from)).map(({ state }) => state).sort()).toEqual(['acknowledged', 'closed', 'raised', 'withdrawn']);
  expect((await exported('line.zip')).stdout).toContain('5 measurements, 0 files, 4 alarms.');
  const archive = await ArchiveReader.open(join(root, 'line.zip'));
  expect(archive.manifest).toMatchObject({ formatVersion: 2, missing: [], counts: { alarms: 4 } });
  archive.close();
});

it('an import gives equal alarms, and nobody is told of them [D12.13]', async () => {
  expect(await imported('line.zip')).toMatchObject({ code: 0, stdout: expect.stringContaining('5 measurements, 0 files, 4 alarms.\n') });
  const expected = await alarmsOf(from);
  expect(expected.some(({ measurementUuids = [] }) => measurementUuids.length > 1)).toBe(true);
  expect(await alarmsOf(to)).toEqual(expected);
  expect(await to.client.alarms.mutes()).toEqual([]);
  expect(await to.client.subscriptions.deliveries()).toEqual([]);
});

it('a repeated import changes nothing [D12.13]', async () => {
  const before = await alarmsOf(to);
  expect((await imported('line.zip')).stdout).toBe('Created 0 parts, 0 characteristics, 0 measurements, 0 files, 0 alarms.\n');
  expect(await alarmsOf(to)).toEqual(before);
});

it('new values go on with imported alarms, and new alarms are told [D12.13]', async () => {
  const [raised] = await to.client.alarms.list({ state: ['raised'] });
  await measure(to.client, 0, { [BORE]: 20.5, [DEPTH]: 20 });
  await isJudged(to.client);
  expect((await to.client.alarms.get(raised?.uuid ?? '')).points).toBe((raised?.points ?? 0) + 1);
  await measure(to.client, -1, { [BORE]: 20, [DEPTH]: 22 });
  await eventually(async () => (await to.client.subscriptions.deliveries()).length > 0);
});

it('an archive of format 1 is imported without alarms, and those of the server then stay [D12.13]', async () => {
  await to.client.parts.clear(ROOT_PART_UUID);
  await copyArchive('line.zip', 'first.zip', { formatVersion: 1, missing: undefined, counts: await countsOf('line.zip') }, [
    'alarms.jsonl',
  ]);
  expect((await imported('first.zip')).stdout).toContain('5 measurements, 0 files, 0 alarms.\n');
  await isJudged(to.client);
  const own = await alarmsOf(to);
  expect(own.length).toBeGreaterThan(1);
  const again = await imported('line.zip');
  expect(again).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/alarms were left out, the first because: An alarm of this server is about the same/),
  });
  const uuids = new Set((await alarmsOf(to)).map(({ uuid }) => uuid));
  expect(own.filter(({ uuid }) => !uuids.has(uuid))).toEqual([]);
});

it('an import that breaks off before the alarms is completed by another run [D12.13]', async () => {
  await to.client.parts.clear(ROOT_PART_UUID);
  const alarms = new Proxy(to.client.alarms, {
    get: (target, name) => {
      if (name === 'import') return () => Promise.reject(new Error('broken off'));
      const value = Reflect.get(target, name) as unknown;
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  const client = new Proxy(to.client, { get: (target, name) => (name === 'alarms' ? alarms : (Reflect.get(target, name) as unknown)) });
  const archive = await ArchiveReader.open(join(root, 'line.zip'));
  const work = { client, archive, conflicts: new Conflicts(), progress: SILENT_PROGRESS, signal: new AbortController().signal };
  await expect(importArchive(work, false)).rejects.toThrow('broken off');
  archive.close();
  const expected = await alarmsOf(from);
  const raised = await alarmsOf(to);
  expect(raised.length).toBeGreaterThan(1);
  expect(raised.every(({ muted }) => muted)).toBe(true);
  expect(await to.client.alarms.mutes()).toEqual([]);
  expect((await imported('line.zip')).stdout).toBe('Created 0 parts, 0 characteristics, 0 measurements, 0 files, 4 alarms.\n');
  expect(await alarmsOf(to)).toEqual(expected);
});

it('an import keeps a short stop going, and ends it, where the clock of the server is six hours ahead [D12.13]', async () => {
  const aheadMs = DAY_MS / 4;
  const { alarms } = to.client;
  const mute: typeof alarms.mute = async (stop, options) => {
    const until = new Date(Date.parse(String(stop.until)) - aheadMs).toISOString();
    const answer = await alarms.mute({ ...stop, until }, options);
    return { ...answer, from: new Date(Date.parse(answer.from) + aheadMs).toISOString() };
  };
  const client = { alarms: { mute, unmute: (uuid: string) => alarms.unmute(uuid) } } as unknown as SinebarClient;
  const archive = await ArchiveReader.open(join(root, 'line.zip'));
  const work = { client, archive, conflicts: new Conflicts(), progress: SILENT_PROGRESS, signal: new AbortController().signal };
  const readStops = async () => (await alarms.mutes()).map(({ uuid, until }) => ({ uuid, leftMs: Date.parse(until) - Date.now() }));
  const end = await planStop(work, { stopMs: 2 * MINUTE_MS, renewalMs: 200 });
  archive.close();
  const first = await readStops();
  expect(first.map(({ leftMs }) => leftMs <= 2 * MINUTE_MS)).toContain(true);
  await eventually(async () => (await readStops()).every(({ uuid }) => first.every((stop) => stop.uuid !== uuid)));
  expect((await readStops()).some(({ leftMs }) => leftMs > MINUTE_MS)).toBe(true);
  await end?.();
  expect(await readStops()).toEqual([]);
});

const countsOf = async (name: string) => {
  const archive = await ArchiveReader.open(join(root, name));
  archive.close();
  const { alarms: _alarms, ...counts } = archive.manifest.counts;
  return counts;
};

it.each([
  [3, 'was written by a newer Sinebar (format 3). Import it with that release.'],
  [0, 'has the unknown format 0. This release reads 1 to 2.'],
  ['2', 'has the unknown format "2". This release reads 1 to 2.'],
])('an archive of the format %j is refused', async (formatVersion, sentence) => {
  const name = `${randomUUID()}.zip`;
  await copyArchive('line.zip', name, { formatVersion });
  expect(await imported(name)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(sentence) });
});
