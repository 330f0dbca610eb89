import { cp, mkdtemp, chmod, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startEmbeddedPostgres } from '@sinebar/local-servers';
import { createLogger } from '@sinebar/runtime';
import { copyEmptyDatabase, eventually, startBuiltProduct, type RunningProcess } from '@sinebar/testing';
import pg from 'pg';

const OLD = join(import.meta.dirname, '../../../old-data');
const [PART, DIAMETER, FIRST, SECOND] = [1, 3, 6, 7].map((number) => `0000000${number}-0000-4000-8000-000000000000`) as [
  string,
  string,
  string,
  string,
];

const answers = JSON.parse(await readFile(join(OLD, 'answers.json'), 'utf8')) as Record<string, unknown>;

describe('a data folder of the version before', () => {
  let root: string;
  let running: RunningProcess;
  let url: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'sinebar-old-data-'));
    await chmod(root, 0o755);
    const dataDir = join(root, 'sinebar-data');
    await copyEmptyDatabase(dataDir);
    const postgres = await startEmbeddedPostgres({ dataDir, log: createLogger({ service: 'test', level: 'silent' }) });
    const client = new pg.Client({ connectionString: postgres.url });
    try {
      await client.connect();
      await client.query(await readFile(join(OLD, 'database.sql'), 'utf8'));
    } finally {
      await client.end();
      await postgres.stop();
    }
    await cp(join(OLD, 'files'), join(dataDir, 'files'), { recursive: true });
    ({ url, running } = await startBuiltProduct('standalone', { env: { SINEBAR_DATA_DIR: dataDir } }));
  }, 120_000);
  afterAll(async () => {
    await running.stop(20_000);
    await rm(root, { recursive: true, force: true });
  });

  const send = (method: string, path: string, body?: unknown) =>
    fetch(`${url}${path}`, {
      method,
      ...(body !== undefined && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    });
  const read = async (path: string): Promise<unknown> => {
    const response = await send('GET', path);
    const text = await response.text();
    return response.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : text;
  };
  const valuesOf = async (measurement: string) =>
    ((await read(`/dataServiceRest/values/${measurement}`)) as { characteristics: unknown }).characteristics;

  it.each(Object.entries(answers))('answers GET %s as the version before did', async (address, answer) => {
    // A member that came later is no difference.
    expect({ answer: await read(address) }).toMatchObject({ answer });
  });

  it('can be changed', async () => {
    expect((await send('PUT', '/dataServiceRest/parts', [{ uuid: PART, attributes: { 1001: 'new' } }])).status).toBe(200);
    expect(await read(`/dataServiceRest/parts/${PART}`)).toMatchObject({ attributes: { 1001: 'new' } });
    const measured = { uuid: SECOND, partUuid: PART, characteristics: { [DIAMETER]: { 1: '7.250' } } };
    expect((await send('PUT', '/dataServiceRest/values', [measured])).status).toBe(200);
    expect(await valuesOf(SECOND)).toEqual({ [DIAMETER]: { 1: '7.250' } });
    const added = { ...measured, uuid: '0000000a-0000-4000-8000-000000000000' };
    expect((await send('POST', '/dataServiceRest/values', [added])).status).toBe(201);
    expect(await valuesOf(added.uuid)).toEqual(added.characteristics);
  });

  it('loses the files of what is deleted', async () => {
    const files = `/rawDataServiceRest/rawDataInformation/measurement/${FIRST}`;
    expect(await read(files)).toHaveLength(1);
    expect((await send('DELETE', `/dataServiceRest/measurements/${FIRST}`)).status).toBe(200);
    await eventually(async () => expect(await read('/rawDataServiceRest/rawDataInformation/measurement')).toEqual([]));
    expect((await send('DELETE', `/dataServiceRest/parts/${PART}`)).status).toBe(200);
    await eventually(async () => expect(await read('/rawDataServiceRest/rawDataInformation/part')).toEqual([]));
    expect(await read('/dataServiceRest/values')).toEqual([]);
  });
});
