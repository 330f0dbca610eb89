import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@sinebar/testing';
import { startSinebar, typed, type RunningSinebar } from '../../running-sinebar.fixture.ts';
import { importFilesCommand } from '../import-files/import-files-command.ts';
import { ArchiveReader } from './archive.ts';
import { exportCommand } from './export-command.ts';
import { importCommand } from './import-command.ts';

const PASSWORD = 'lathe-and-mill';
/** Hash of the password, with cheap parameters on purpose. */
const HASH = '$argon2id$v=19$m=1024,t=1,p=1$Xq1G7XMTpOZWo3cVHh9xIA$xSC/2BY29tGDEysNn3nP82apdDQr68Hl/XlFUFoZNUw';
const DOOR_PATH = '/Line/Door';
const READ = ['plan:read', 'measurement:read', 'rawData:read'];
const WRITE = ['plan:write', 'measurement:write', 'rawData:write'];
const ROLES = {
  all: [{ path: '/', rights: [...READ, ...WRITE] }, { rights: ['configuration:write', 'catalog:write'] }],
  /** All rights on one subtree. */
  door: [{ path: DOOR_PATH, rights: [...READ, ...WRITE] }],
  /** No files and measurements of the same part, but those of another part. */
  planner: [
    { path: DOOR_PATH, rights: ['plan:read'] },
    { path: '/Roof', rights: READ },
  ],
  blind: [{ path: DOOR_PATH, rights: ['plan:read'] }],
};
const [LINE, DOOR, ROOF, GAP] = Array.from({ length: 4 }, () => randomUUID()) as [string, string, string, string];

let root: string;
let from: RunningSinebar;
let to: RunningSinebar;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'sinebar-restricted-'));
  const policy = join(root, 'policy.yaml');
  const names = Object.keys(ROLES);
  await writeFile(
    policy,
    JSON.stringify({
      roles: Object.fromEntries(Object.entries(ROLES).map(([name, grants]) => [name, { grants }])),
      users: Object.fromEntries(names.map((name) => [name, { password: HASH, roles: [name] }])),
    }),
  );
  const settings = { SINEBAR_AUTHENTICATION: 'basic', SINEBAR_ACCESS_POLICY: policy };
  const start = (name: string) => startSinebar(join(root, name), settings, { username: 'all', password: PASSWORD });
  [from, to] = await Promise.all([start('from'), start('to')]);
  const limit = { definitionType: 'AttributeDefinition', type: 'Float', key: 2110, description: 'lower limit' } as const;
  for (const server of [from, to]) await server.client.configuration.create('characteristic', [limit]);
  const { client } = from;
  await client.parts.create([
    { uuid: LINE, path: 'P:/Line/' },
    { uuid: DOOR, path: 'PP:/Line/Door/' },
    { uuid: ROOF, path: 'P:/Roof/' },
  ]);
  await client.characteristics.create([{ uuid: GAP, path: 'PPC:/Line/Door/gap/', attributes: { 2110: '2' } }]);
  const attributes = { 4: '2026-01-05T08:30:00Z' };
  await client.measurements.createWithValues([
    { uuid: randomUUID(), partUuid: DOOR, attributes, characteristics: { [GAP]: { 1: '1.25' } } },
    { uuid: randomUUID(), partUuid: ROOF, attributes, characteristics: {} },
  ]);
  for (const uuid of [DOOR, ROOF]) await client.rawData.upload({ entity: 'Part', uuid }, { fileName: 'a.txt', content: 'x' });
  // The value is below the limit.
  await eventually(async () => (await client.alarms.count()) === 1, { timeoutMs: 60_000 });
}, 180_000);
afterAll(async () => {
  await Promise.all([from?.stop(), to?.stop()]);
  await rm(root, { recursive: true, force: true });
});

const as = (user: keyof typeof ROLES) => ({ SINEBAR_USER: user, SINEBAR_PASSWORD: PASSWORD });
const exported = (user: keyof typeof ROLES, path: string, name: string) =>
  typed(exportCommand, ['--server', from.url, '--path', path, join(root, name)], as(user));
const imported = (user: keyof typeof ROLES, name: string) => typed(importCommand, ['--server', to.url, join(root, name)], as(user));

describe('an export of a user with rights on one part', () => {
  it('contains this part, and reports that the one above is missing', async () => {
    const { code, stdout } = await exported('door', DOOR_PATH, 'door.zip');
    expect(code).toBe(0);
    expect(stdout).toContain('1 parts, 1 characteristics, 1 measurements, 1 files, 1 alarms');
    expect(stdout).toContain('The part /Line/, in which it lies, may not be read');
    expect(stdout).not.toContain('were left out');
  });

  it('reports that files and measurements were left out', async () => {
    const { code, stdout } = await exported('planner', DOOR_PATH, 'plan.zip');
    expect(code).toBe(0);
    expect(stdout).toContain('1 parts, 1 characteristics, 0 measurements, 0 files, 0 alarms');
    const missing = [
      'Files were left out: the right rawData:read is missing on PP:/Line/Door/.',
      'Measurements, notes and alarms were left out: the right measurement:read is missing on PP:/Line/Door/, or on parts of it.',
    ];
    for (const sentence of missing) expect(stdout).toContain(sentence);
    const archive = await ArchiveReader.open(join(root, 'plan.zip'));
    expect(archive.manifest.missing).toEqual(expect.arrayContaining(missing));
    expect(await buffer(await archive.stream('alarms.jsonl'))).toHaveLength(0);
    archive.close();
  });

  it.each([
    ['door', '/', 'There is no part / on the server, or it may not be read'],
    ['door', '/Roof', 'There is no part /Roof on the server, or it may not be read'],
    ['blind', DOOR_PATH, 'The server refused (403): '],
  ] as const)('is refused to %s for %s', async (user, path, sentence) => {
    expect(await exported(user, path, 'refused.zip')).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(sentence) });
  });
});

describe('an import of a user with rights on one part', () => {
  const paths = async () => (await to.client.parts.list({ depth: 9 })).map(({ path }) => path).sort();

  it('is refused when the part above does not exist, and writes nothing', async () => {
    const refused = await imported('door', 'door.zip');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('/Line');
    expect(await paths()).toEqual(['/']);
  });

  it('is refused for everything else, and writes nothing', async () => {
    expect((await exported('all', '/', 'all.zip')).code).toBe(0);
    const refused = await imported('door', 'all.zip');
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('The server refused (403): ') });
    expect(await paths()).toEqual(['/']);
    expect((await imported('planner', 'door.zip')).stderr).toContain('The server refused (403): ');
    expect(await paths()).toEqual(['/']);
  });

  it('creates its part in one that it may not read', async () => {
    await to.client.parts.create([{ uuid: LINE, path: 'P:/Line/' }]);
    // The archive of a user who may read the ancestors names them; that of this user does not.
    expect((await exported('all', DOOR_PATH, 'named.zip')).code).toBe(0);
    expect(await imported('door', 'named.zip')).toMatchObject({
      code: 0,
      stdout: 'Created 1 parts, 1 characteristics, 1 measurements, 1 files, 1 alarms.\n',
    });
    expect(await imported('door', 'door.zip')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^Created 0 parts, 0 characteristics, 0 measurements, 0 files, 0 alarms\.\nThe archive is not whole: The part \/Line\/, in which it lies/,
      ),
    });
    expect(await to.client.alarms.list()).toEqual(await from.client.alarms.list());
    expect(await paths()).toEqual(['/', 'P:/Line/', 'PP:/Line/Door/']);
    const read = { aggregation: 'All', partUuids: [DOOR] } as const;
    const values = async ({ client }: RunningSinebar) =>
      (await client.measurements.searchWithValues(read)).map((one) => one.characteristics);
    expect(await values(to)).toEqual(await values(from));
  });
});

describe('an import of files', () => {
  const importedFile = async (environment: Readonly<Record<string, string>>, part: string) => {
    const file = join(root, 'shaft.dfq');
    await writeFile(file, ['K0100 1', 'K1001/1 Shaft', 'K2001/1 1', 'K2002/1 Diameter', '20.1', ''].join('\r\n'));
    return typed(importFilesCommand, ['--server', from.url, '--part', part, file], environment);
  };

  it('signs in as the user of the environment, and stores what that user may write', async () => {
    // Attributes that the file carries and the server does not know are left out.
    expect(await importedFile(as('door'), DOOR_PATH)).toMatchObject({ code: 0, stdout: expect.stringContaining('1 measurements') });
    const [measurement] = await from.client.measurements.search({ partPath: `${DOOR_PATH}/Shaft` });
    expect(measurement).toBeDefined();
  });

  it.each([
    ['without a right below the part', as('door'), '/Roof', '403'],
    ['with a wrong password', { SINEBAR_USER: 'door', SINEBAR_PASSWORD: 'wrong' }, DOOR_PATH, '401'],
    ['without sign-in', {}, DOOR_PATH, '401'],
  ] as const)('is refused %s', async (_case, environment, part, status) => {
    const { code, stdout, stderr } = await importedFile(environment, part);
    expect(`${stdout}${stderr}`).toContain(status);
    expect(code).toBe(1);
  });
});
