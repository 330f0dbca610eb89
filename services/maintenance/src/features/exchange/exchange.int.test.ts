import { randomUUID } from 'node:crypto';
import { appendFile, mkdtemp, readdir, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT_PART_UUID, valueTarget, type SinebarClient } from '@sinebar/client';
import { startSinebar, typed, type RunningSinebar } from '../../running-sinebar.test-case.js';
import { exportCommand } from './export-command.js';
import { importCommand } from './import-command.js';

const CATALOG = 'c0000000-0000-4000-8000-000000000001';
const uuids = Array.from({ length: 10 }, () => randomUUID());
const [LINE, DOOR, SIDE, OTHER, GAP, FLUSH, ROOT_CHARACTERISTIC] = uuids as [string, string, string, string, string, string, string];
/** More than go into one entry. */
const MEASURED = 230;

let root: string;
let from: RunningSinebar;
let to: RunningSinebar;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'sinebar-exchange-'));
  [from, to] = await Promise.all([startSinebar(join(root, 'from')), startSinebar(join(root, 'to'))]);
  await fill(from.client);
}, 180_000);
afterAll(async () => {
  await Promise.all([from.stop(), to.stop()]);
  await rm(root, { recursive: true, force: true });
}, 60_000);

async function fill(client: SinebarClient): Promise<void> {
  const text = { definitionType: 'AttributeDefinition', type: 'AlphaNumeric', length: 40 } as const;
  await client.configuration.create('catalog', [{ ...text, key: 31_001, description: 'machine name' }]);
  await client.catalogs.create([
    { uuid: CATALOG, name: 'machines', validAttributes: [31_001], catalogEntries: [{ key: 3, attributes: { 31001: 'press' } }] },
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
    // Some at the same time: their order is that in which they were stored.
    attributes: { 4: new Date(1_700_000_000_000 + Math.floor(index / 4) * 4000 + (index % 10 === 0 ? 1 : 0)).toISOString(), 31003: 3 },
    characteristics: { [index % 10 === 0 ? FLUSH : GAP]: { 1: ['1.230', '1e-7', '12345678901234567890', '-0'][index % 4] as string } },
  }));
  await client.measurements.createWithValues(measured);
  await client.measurements.createWithValues([
    { uuid: randomUUID(), partUuid: OTHER, attributes: { 31004: 'x', 99: '1' }, characteristics: {} },
  ]);
  const [first, second] = measured;
  if (!first || !second) throw new Error('nothing was measured');
  const files = [
    [{ entity: 'Part', uuid: DOOR }, 'große Datei.bin', 'x'.repeat(3 * 2 ** 20)],
    [{ entity: 'Characteristic', uuid: GAP }, 'empty.txt', ''],
    [{ entity: 'Measurement', uuid: second.uuid }, 'm.txt', 'of a measurement'],
    [valueTarget(first.uuid, FLUSH), 'v.txt', 'of a value'],
    [{ entity: 'Part', uuid: ROOT_PART_UUID }, 'root.txt', 'of the root'],
  ] as const;
  for (const [target, fileName, content] of files)
    await client.rawData.upload(target, { fileName, mimeType: 'text/plain', content }, { key: 5 });
}

/** What every read endpoint says, without what each server sets itself. */
async function everything({ client, url }: RunningSinebar): Promise<unknown> {
  const own = ['timestamp', 'charChangeDate', 'version', 'lastModified', 'created'];
  const plain = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value, (key, member: unknown) => (own.includes(key) ? undefined : member)));
  const get = async (path: string) => (await fetch(`${url}${path}`)).json();
  const parts = await client.parts.list({ depth: 99 });
  const measurements = await client.measurements.searchWithValues({ aggregation: 'All' });
  const files = [];
  for (const entity of ['Part', 'Characteristic', 'Measurement', 'Value'] as const) {
    for (const file of await client.rawData.list(entity)) {
      files.push({ file, text: await (await client.rawData.download(file.target, file.key)).text() });
    }
  }
  return plain({
    configuration: await client.configuration.get(),
    catalogs: await client.catalogs.list(),
    parts,
    partCount: await client.parts.count({ depth: 99 }),
    characteristics: await Promise.all(
      parts.map(({ path }) => client.characteristics.list({ partPath: path.slice(path.indexOf(':') + 1) })),
    ),
    items: await get('/dataServiceRest/inspectionPlanItems?depth=99'),
    single: await Promise.all(parts.map(({ uuid }) => client.parts.get(uuid))),
    measurements,
    one: await Promise.all(measurements.slice(0, 5).map(({ uuid }) => client.measurements.getWithValues(uuid, { aggregation: 'All' }))),
    statistics: await client.measurements.search({ statistics: 'Detailed', aggregation: 'All' }),
    ordered: await client.measurements.search({ order: '31003 asc,4 asc', partUuids: [DOOR] }),
    found: await client.measurements.search({ searchCondition: '31003=[3]' }),
    machines: await client.measurements.distinctValues(31_003),
    files: files.sort((a, b) => JSON.stringify(a.file.target).localeCompare(JSON.stringify(b.file.target))),
  });
}

const archive = (name: string) => join(root, name);
const exported = (server: RunningSinebar, path: string, name: string) =>
  typed(exportCommand, ['--server', server.url, '--path', path, archive(name)], {});
const imported = (server: RunningSinebar, name: string, ...more: string[]) =>
  typed(importCommand, ['--server', server.url, ...more, archive(name)], {});

describe('export and import', () => {
  it('bring a subtree with what it needs, and nothing else', async () => {
    expect(await exported(from, '/line 1\\/2/tür', 'door.zip')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`2 parts, 2 characteristics, ${MEASURED} measurements, 4 files`),
    });
    const dry = await imported(to, 'door.zip', '--dry-run');
    // The part above as well.
    expect(dry).toMatchObject({ code: 0, stdout: `Would create 3 parts, 2 characteristics, ${MEASURED} measurements, 4 files.\n` });
    expect(await to.client.parts.count({ depth: 99 })).toBe(1);
    expect(await imported(to, 'door.zip')).toMatchObject({ code: 0, stdout: expect.stringContaining('Created 3 parts') });
    const paths = (await to.client.parts.list({ depth: 99 })).map(({ path }) => path);
    expect(paths.sort()).toEqual(['/', 'P:/Line 1\\/2/', 'PP:/Line 1\\/2/Tür/', 'PPP:/Line 1\\/2/Tür/Seite/']);
    const { measurementAttributes, partAttributes } = await to.client.configuration.get();
    const keys = [...measurementAttributes, ...partAttributes].map(({ key }) => key);
    expect(keys).toEqual(expect.arrayContaining([31_002, 31_003]));
    expect(keys).not.toContain(31_004);
  }, 60_000);

  it('find nothing to do the second time', async () => {
    expect(await imported(to, 'door.zip')).toMatchObject({
      code: 0,
      stdout: 'Created 0 parts, 0 characteristics, 0 measurements, 0 files.\n',
    });
  }, 30_000);

  it('go on after an import that broke off', async () => {
    const [measurement] = await to.client.measurements.search({ limitResult: 1 });
    await to.client.measurements.delete({ measurementUuids: [measurement?.uuid ?? ''] });
    await to.client.rawData.delete({ entity: 'Part', uuid: DOOR }, 5);
    expect((await imported(to, 'door.zip')).stdout).toContain('0 characteristics, 1 measurements, 1 files');
  }, 30_000);

  it('name what is different, and write nothing then', async () => {
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
  }, 60_000);

  it('give equal answers on every read endpoint when everything is brought over', async () => {
    expect(await imported(to, 'all.zip')).toMatchObject({ code: 0, stdout: expect.stringContaining('5 files') });
    expect(await everything(to)).toEqual(await everything(from));
  }, 60_000);

  it('tell wrong use and broken archives', async () => {
    const target = archive('x.zip');
    const cases = [
      [typed(exportCommand, ['--path', '/', target], {}), 2, '--server'],
      [typed(exportCommand, ['--server', from.url, target], {}), 2, '--path'],
      [typed(exportCommand, ['--server', 'here', '--path', '/', target], {}), 2, 'here'],
      [typed(exportCommand, ['--server', from.url, '--user', 'me', '--path', '/', target], {}), 2, 'SINEBAR_PASSWORD'],
      [exported(from, '/nowhere', 'x.zip'), 1, 'no part /nowhere'],
      [exported(from, '/', 'door.zip'), 1, 'exists already'],
      [typed(exportCommand, ['--server', 'http://127.0.0.1:1', '--path', '/', target], {}), 1, 'was not answered'],
      [imported(to, 'nothing.zip'), 1, 'There is no file'],
    ] as const;
    for (const [running, code, sentence] of cases) expect(await running).toMatchObject({ code, stderr: expect.stringContaining(sentence) });
    await appendFile(archive('text.zip'), 'no archive');
    expect((await imported(to, 'text.zip')).stderr).toContain('is no zip archive');
    await truncate(archive('door.zip'), 1000);
    expect(await imported(to, 'door.zip')).toMatchObject({ code: 1, stderr: expect.stringContaining('is no zip archive') });
    expect((await readdir(root)).filter((name) => name.includes('unfinished') || name === 'x.zip')).toEqual([]);
  }, 60_000);
});
