import { randomUUID } from 'node:crypto';
import { appendFile, mkdtemp, readdir, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CAUSE_ATTRIBUTE, ROOT_PART_UUID, valueTarget, type SinebarClient } from '@sinebar/client';
import { eventually } from '@sinebar/testing';
import yazl from 'yazl';
import { startSinebar, typed, type RunningSinebar } from '../../running-sinebar.fixture.ts';
import { answerOf, readRoutes, saysNothing } from './equal-answers.fixture.ts';
import { SILENT_PROGRESS } from '../../command-line/progress.ts';
import { ArchiveWriter } from './archive.ts';
import { exportCommand } from './export-command.ts';
import { exportOneState } from './export-subtree.ts';
import { importCommand } from './import-command.ts';
import { NOT_ASKED, NOT_COMPARED, readAddresses, type KnownUuids } from './read-addresses.fixture.ts';

const CATALOG = 'c0000000-0000-4000-8000-000000000001';
const uuids = Array.from({ length: 10 }, () => randomUUID());
const [LINE, DOOR, SIDE, OTHER, GAP, FLUSH, ROOT_CHARACTERISTIC] = uuids as [string, string, string, string, string, string, string];
const [EXCLUDED, NOTE] = [randomUUID(), randomUUID()];
/** A picture of one pixel. */
const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
/** More measurements than fit into one entry. */
const MEASURED = 230;

let root: string;
let from: RunningSinebar;
let to: RunningSinebar;
let known: KnownUuids;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'sinebar-exchange-'));
  [from, to] = await Promise.all([startSinebar(join(root, 'from')), startSinebar(join(root, 'to'))]);
  known = await fill(from.client);
}, 180_000);
afterAll(async () => {
  await Promise.all([from.stop(), to.stop()]);
  await rm(root, { recursive: true, force: true });
});

async function fill(client: SinebarClient): Promise<KnownUuids> {
  const text = { definitionType: 'AttributeDefinition', type: 'AlphaNumeric', length: 40 } as const;
  await client.configuration.create('catalog', [
    { ...text, key: 31_001, description: 'machine name' },
    { ...text, key: CAUSE_ATTRIBUTE, description: 'cause' },
  ]);
  await client.catalogs.create([
    { uuid: CATALOG, name: 'machines', validAttributes: [31_001], catalogEntries: [{ key: 3, attributes: { 31001: 'press' } }] },
    {
      uuid: randomUUID(),
      name: 'causes',
      validAttributes: [CAUSE_ATTRIBUTE],
      catalogEntries: [{ key: 7, attributes: { [CAUSE_ATTRIBUTE]: 'tool worn' } }],
    },
  ]);
  const number = { definitionType: 'AttributeDefinition', type: 'Float', description: 'limit' } as const;
  await client.configuration.create(
    'characteristic',
    [2101, 2110, 2111].map((key) => ({ ...number, key })),
  );
  await client.configuration.create('part', [{ ...text, key: 31_002, description: 'colour' }]);
  await client.configuration.create('measurement', [
    { definitionType: 'CatalogAttributeDefinition', key: 31_003, description: 'machine', catalog: CATALOG },
    { ...text, key: 31_004, description: 'used elsewhere' },
    { ...text, key: 31_005, description: 'serial number' },
    { definitionType: 'AttributeDefinition', type: 'Integer', key: 99, description: 'aggregation' },
  ]);
  await client.parts.update([{ uuid: ROOT_PART_UUID, attributes: { 31002: 'none' } }]);
  await client.parts.create([
    { uuid: LINE, path: 'P:/Line 1\\/2/' },
    { uuid: DOOR, path: 'PP:/Line 1\\/2/Tür/', attributes: { 31002: 'red' } },
    { uuid: SIDE, path: 'PPP:/Line 1\\/2/Tür/Seite/' },
    { uuid: OTHER, path: 'P:/other/' },
  ]);
  await client.characteristics.create([
    { uuid: GAP, path: 'PPC:/Line 1\\/2/Tür/gap/', attributes: { 2101: '1.50', 2110: '1', 2111: '2' } },
    { uuid: FLUSH, path: 'PPPC:/Line 1\\/2/Tür/Seite/flush/' },
    { uuid: ROOT_CHARACTERISTIC, path: 'C:/of the root/' },
  ]);
  const measured = Array.from({ length: MEASURED }, (_, index) => ({
    uuid: randomUUID(),
    partUuid: index % 10 === 0 ? SIDE : DOOR,
    // Some have equal times: their order is that of storing.
    attributes: { 4: new Date(1_700_000_000_000 + Math.floor(index / 4) * 4000 + (index % 10 === 0 ? 1 : 0)).toISOString(), 31003: 3 },
    characteristics: { [index % 10 === 0 ? FLUSH : GAP]: { 1: ['1.230', '1e-7', '12345678901234567890', '-0'][index % 4] as string } },
  }));
  await client.measurements.createWithValues(measured);
  await client.measurements.createWithValues([
    { uuid: EXCLUDED, partUuid: OTHER, attributes: { 4: '2026-01-05T08:30:00Z', 31004: 'x', 99: '1' }, characteristics: {} },
  ]);
  await client.measurements.createWithValues(
    [SIDE, OTHER].map((partUuid, index) => ({
      uuid: randomUUID(),
      partUuid,
      attributes: { 4: `2026-01-0${index + 6}T08:30:00Z`, 31005: '17' },
      characteristics: {},
    })),
  );
  const reason = { reason: 'a test' };
  await client.analysis.putEvaluation({ partUuid: LINE }, { model: 'weibull', rules: ['nelson2:7'] }, reason);
  await client.analysis.putEvaluation({ characteristicUuid: GAP }, { subgroups: { size: 5 }, chart: 'xbarR' }, reason);
  const exclusions = [{ measurementUuid: EXCLUDED, reason: 'dropped part' }];
  await client.analysis.putEvaluation({ partUuid: OTHER }, { exclusions }, reason);
  const [first, second] = measured;
  if (!first || !second) throw new Error('nothing was measured');
  const times = { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z', time: '2026-02-02T08:00:00Z' };
  await client.notes.create({ partUuid: LINE, text: 'A new\nbatch.', ...times });
  await client.notes.create({ uuid: NOTE, characteristicUuid: GAP, measurementUuid: second.uuid, text: 'Dropped.', cause: 7 });
  await client.notes.create({ partUuid: OTHER, measurementUuid: EXCLUDED, text: 'Elsewhere.' });
  const files = [
    [{ entity: 'Part', uuid: DOOR }, 'große Datei.bin', 'x'.repeat(3 * 2 ** 20)],
    [{ entity: 'Characteristic', uuid: GAP }, 'empty.txt', ''],
    [{ entity: 'Measurement', uuid: second.uuid }, 'm.txt', 'of a measurement'],
    [valueTarget(first.uuid, FLUSH), 'v.txt', 'of a value'],
    [{ entity: 'Part', uuid: ROOT_PART_UUID }, 'root.txt', 'of the root'],
  ] as const;
  for (const [target, fileName, content] of files)
    await client.rawData.upload(target, { fileName, mimeType: 'text/plain', content }, { key: 5 });
  const other = { entity: 'Part', uuid: OTHER } as const;
  await client.rawData.upload(other, { fileName: 'pixel.png', mimeType: 'image/png', content: PIXEL }, { key: 6 });
  await client.rawData.upload(
    other,
    { fileName: 'a.zip', mimeType: 'application/zip', content: await zipOf('folder/größe.txt') },
    { key: 7 },
  );
  await eventually(async () => !(await client.alarms.isPending()), { timeoutMs: 60_000 });
  const [alarm] = await client.alarms.list({ characteristicUuid: GAP });
  if (!alarm) throw new Error('no alarm was raised');
  await client.alarms.update(alarm.uuid, { state: 'closed', cause: 7, note: 'A new tool.' });
  return {
    alarm: alarm.uuid,
    line: LINE,
    door: DOOR,
    side: SIDE,
    other: OTHER,
    gap: GAP,
    flush: FLUSH,
    catalog: CATALOG,
    note: NOTE,
    ofSide: first.uuid,
    ofDoor: second.uuid,
  };
}

async function zipOf(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const zip = new yazl.ZipFile();
  zip.addBuffer(Buffer.from('200 mm'), name);
  zip.end();
  return Uint8Array.from(await buffer(zip.outputStream as unknown as Readable));
}

const parametersOf = (address: string) => [...address.matchAll(/[?&](\w+)=/g)].map(([, name = '']) => name);
const archive = (name: string) => join(root, name);
const exported = (server: RunningSinebar, path: string, name: string) =>
  typed(exportCommand, ['--server', server.url, '--path', path, archive(name)], {});
const imported = (server: RunningSinebar, name: string, ...more: string[]) =>
  typed(importCommand, ['--server', server.url, ...more, archive(name)], {});

describe('an export during changes of the plan', () => {
  /** Changes the plan when the measurements are read, as often as given. */
  const changing = (times: number): SinebarClient => {
    let left = times;
    const measurements = new Proxy(from.client.measurements, {
      get: (target, name) => {
        const value = Reflect.get(target, name) as unknown;
        if (name !== 'search') return typeof value === 'function' ? (value.bind(target) as unknown) : value;
        return async (...asked: Parameters<typeof target.search>) => {
          left -= 1;
          if (left >= 0) await from.client.parts.create([{ uuid: randomUUID(), path: `PP:/Changing/${randomUUID()}/` }]);
          return await target.search(...asked);
        };
      },
    });
    return new Proxy(from.client, {
      get: (target, name) => (name === 'measurements' ? measurements : (Reflect.get(target, name) as unknown)),
    });
  };
  const run = (client: SinebarClient) => {
    const exchange = { client, progress: SILENT_PROGRESS, signal: new AbortController().signal };
    return exportOneState(exchange, '/Changing', () => new ArchiveWriter(join(root, `${randomUUID()}.zip`)));
  };
  beforeAll(async () => {
    await from.client.parts.create([{ uuid: randomUUID(), path: 'P:/Changing/' }]);
  });
  afterAll(async () => {
    const [part] = await from.client.parts.list({ partPath: '/Changing', depth: 0 });
    if (part) await from.client.parts.delete({ partUuids: [part.uuid] });
  });

  it('starts again, and contains the latest state', async () => {
    expect((await run(changing(1))).counts.parts).toBe(2);
  });

  it('gives up after repeated changes', async () => {
    await expect(run(changing(Infinity))).rejects.toThrow('were changed while they were read');
  });
});

describe('export and import', () => {
  it('transfer a subtree with what it needs, and nothing else', async () => {
    const umask = process.umask(0);
    expect(await exported(from, '/line 1\\/2/tür', 'door.zip')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`2 parts, 2 characteristics, ${MEASURED + 1} measurements, 4 files`),
    });
    process.umask(umask);
    // The archive may hold more than other accounts of the machine may read.
    expect((await stat(archive('door.zip'))).mode & 0o777).toBe(0o600);
    const dry = await imported(to, 'door.zip', '--dry-run');
    const alarms = await from.client.alarms.count({ partPath: '/Line 1\\/2/Tür' });
    // The count includes the part above.
    const missing = `3 parts, 2 characteristics, ${MEASURED + 1} measurements, 4 files, ${alarms} alarms.\n`;
    expect(dry).toMatchObject({ code: 0, stdout: `Would create ${missing}` });
    expect(await to.client.parts.count({ depth: 99 })).toBe(1);
    expect(await imported(to, 'door.zip')).toMatchObject({ code: 0, stdout: expect.stringContaining('Created 3 parts') });
    const paths = (await to.client.parts.list({ depth: 99 })).map(({ path }) => path);
    expect(paths.sort()).toEqual(['/', 'P:/Line 1\\/2/', 'PP:/Line 1\\/2/Tür/', 'PPP:/Line 1\\/2/Tür/Seite/']);
    const { measurementAttributes, partAttributes } = await to.client.configuration.get();
    const keys = [...measurementAttributes, ...partAttributes].map(({ key }) => key);
    expect(keys).toEqual(expect.arrayContaining([31_002, 31_003]));
    expect(keys).not.toContain(31_004);
  });

  it('change nothing the second time', async () => {
    expect(await imported(to, 'door.zip')).toMatchObject({
      code: 0,
      stdout: 'Created 0 parts, 0 characteristics, 0 measurements, 0 files, 0 alarms.\n',
    });
  });

  it('continue after an interrupted import', async () => {
    const [measurement] = await to.client.measurements.search({ limitResult: 1 });
    await to.client.measurements.delete({ measurementUuids: [measurement?.uuid ?? ''] });
    await to.client.rawData.delete({ entity: 'Part', uuid: DOOR }, 5);
    expect((await imported(to, 'door.zip')).stdout).toContain('0 characteristics, 1 measurements, 1 files');
  });

  it('take over how characteristics are evaluated', async () => {
    const { own } = await to.client.analysis.evaluation({ characteristicUuid: GAP });
    expect(own).toEqual({ subgroups: { size: 5 }, chart: 'xbarR' });
    const [{ reason } = { reason: '' }] = await to.client.analysis.evaluationHistory({ characteristicUuid: GAP });
    expect(reason).toBe('imported from an archive');
  });

  it('take over notes with their times and causes', async () => {
    expect(await to.client.notes.list()).toEqual(await from.client.notes.list({ partPath: '/Line 1\\/2/Tür' }));
    expect(await to.client.notes.get(NOTE)).toMatchObject({ text: 'Dropped.', cause: 7, causeText: 'tool worn' });
  });

  it('name differences, and write nothing then', async () => {
    await to.client.parts.update([{ uuid: DOOR, attributes: { 31002: 'blue' } }]);
    await to.client.characteristics.delete({ charUuids: [FLUSH] });
    await to.client.rawData.replace({ entity: 'Characteristic', uuid: GAP }, 5, { fileName: 'another.txt', content: 'x' });
    const result = await imported(to, 'door.zip');
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toContain('PP:/Line 1\\/2/Tür/ has other attributes there');
    expect(result.stderr).toContain(`file 5 of Characteristic ${GAP} is another one there (another.txt)`);
    expect(await to.client.characteristics.list({ charUuids: [FLUSH] })).toEqual([]);
    await to.client.parts.delete({ partUuids: [LINE] });
    await to.client.parts.create([
      { uuid: LINE, path: 'P:/elsewhere/' },
      { uuid: randomUUID(), path: 'P:/OTHER/' },
    ]);
    expect((await imported(to, 'door.zip')).stderr).toContain('P:/Line 1\\/2/ is P:/elsewhere/ there');
    expect((await exported(from, '/', 'all.zip')).code).toBe(0);
    expect((await imported(to, 'all.zip')).stderr).toContain('P:/other/ is there under another uuid');
    await to.client.parts.clear(ROOT_PART_UUID);
  });

  it('give equal answers on every read endpoint after a complete transfer', async () => {
    expect(await imported(to, 'all.zip')).toMatchObject({ code: 0, stdout: expect.stringContaining('7 files') });
    const { length } = await from.client.measurements.search({ aggregation: 'All' });
    const counted = async ({ client }: RunningSinebar) => (await client.serviceInformation()).measurementCount === length;
    // Statistics are updated periodically, not with each change.
    await eventually(async () => (await counted(from)) && (await counted(to)), { timeoutMs: 60_000, intervalMs: 500 });
    // Until then, tables show models that are older than the values.
    const isAssessed = async ({ client }: RunningSinebar) => (await client.analysis.statuses(ROOT_PART_UUID)).pending === undefined;
    await eventually(async () => (await isAssessed(from)) && (await isAssessed(to)), { timeoutMs: 60_000, intervalMs: 500 });
    const answers = async ({ url }: RunningSinebar) => {
      const all = [];
      for (const address of Object.values(readAddresses(known)).flat()) all.push(await answerOf(url, address));
      return all;
    };
    const expected = await answers(from);
    expect(expected.filter(saysNothing)).toEqual([]);
    expect(await answers(to)).toEqual(expected);
  }, 120_000);

  it('are compared by every address and parameter that can be read', async () => {
    const compared = readAddresses(known);
    const routes = await readRoutes(from.url);
    expect([...Object.keys(compared), ...Object.keys(NOT_COMPARED)].sort()).toEqual(routes.map(({ path }) => path).sort());
    const notAsked = routes.flatMap(({ path, parameters }) => {
      const asked = new Set((compared[path] ?? parameters.map((name) => `?${name}=`)).flatMap((address) => parametersOf(address)));
      return parameters.filter((name) => !asked.has(name) && !NOT_ASKED.includes(name)).map((name) => `${path}: ${name}`);
    });
    expect(notAsked).toEqual([]);
    const { exclusions } = await to.client.analysis.evaluation({ partUuid: OTHER });
    expect(exclusions).toMatchObject([{ measurementUuid: EXCLUDED, reason: 'dropped part' }]);
  });

  it('report wrong use and broken archives', async () => {
    const target = archive('x.zip');
    const cases = [
      [typed(exportCommand, ['--path', '/', target], {}), 2, '--server'],
      [typed(exportCommand, ['--server', from.url, target], {}), 2, '--path'],
      [typed(exportCommand, ['--server', 'here', '--path', '/', target], {}), 2, 'here'],
      [typed(exportCommand, ['--server', from.url, '--user', 'me', '--path', '/', target], {}), 2, 'SINEBAR_PASSWORD'],
      [exported(from, '/nowhere', 'x.zip'), 1, 'no part /nowhere'],
      [exported(from, '/', 'door.zip'), 1, 'exists already'],
      [typed(exportCommand, ['--server', 'http://127.0.0.1:1', '--path', '/', target], {}), 1, 'did not answer'],
      [imported(to, 'nothing.zip'), 1, 'There is no file'],
    ] as const;
    for (const [running, code, sentence] of cases) expect(await running).toMatchObject({ code, stderr: expect.stringContaining(sentence) });
    await appendFile(archive('text.zip'), 'no archive');
    expect((await imported(to, 'text.zip')).stderr).toContain('is no zip archive');
    await truncate(archive('door.zip'), 1000);
    expect(await imported(to, 'door.zip')).toMatchObject({ code: 1, stderr: expect.stringContaining('is no zip archive') });
    expect((await readdir(root)).filter((name) => name.includes('unfinished') || name === 'x.zip')).toEqual([]);
  });
});
