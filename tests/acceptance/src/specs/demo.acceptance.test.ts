import { execFile } from 'node:child_process';
import { mkdirSync, openAsBlob, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SinebarClient } from '@sinebar/client';
import { freePort, sinebarCommand } from '@sinebar/testing';
import { PROGRAMS, runToEnd, start, temporaryFolder, type StartedProduct } from '../support/product/product.ts';
import { notedFetch } from '../support/requests/rest-client.ts';
import { PASSWORD, PASSWORD_HASH, PATH_RIGHTS } from '../support/product/test-user.ts';

const DEMO = sinebarCommand('demo');
const DOOR = '/Car door';
const CREDENTIALS = { SINEBAR_USER: 'anna', SINEBAR_PASSWORD: PASSWORD };
const POLICY = {
  roles: { all: { grants: [{ path: '/', rights: PATH_RIGHTS }, { rights: ['configuration:write', 'catalog:write'] }] } },
  users: { anna: { password: PASSWORD_HASH, roles: ['all'] } },
};
const run = promisify(execFile);

describe('sinebar demo', () => {
  const folder = temporaryFolder();
  let product: StartedProduct;
  let sinebar: SinebarClient;
  beforeAll(async () => {
    const policy = join(folder.path, 'policy.yaml');
    writeFileSync(policy, JSON.stringify(POLICY));
    product = await start(PROGRAMS.standalone, {
      env: {
        SINEBAR_PORT: '0',
        SINEBAR_DATA_DIR: join(folder.path, 'data'),
        SINEBAR_AUTHENTICATION: 'basic',
        SINEBAR_ACCESS_POLICY: policy,
      },
    });
    sinebar = new SinebarClient({
      url: product.url,
      credentials: { username: CREDENTIALS.SINEBAR_USER, password: CREDENTIALS.SINEBAR_PASSWORD },
      fetch: notedFetch,
    });
  }, 150_000);
  afterAll(async () => {
    await product.stop();
    folder.remove();
  }, 70_000);

  const aqdef = join(folder.path, 'demo.dfq');
  const demo = (args: string[] = [], env: Record<string, string> = CREDENTIALS) =>
    runToEnd(DEMO, env, 120_000, ['--server', product.url, '--aqdef', aqdef, ...args]);
  const uuids = async () => (await sinebar.measurements.search({ partPath: DOOR, limitResult: -1 })).map(({ uuid }) => uuid).sort();

  it('does not change attributes and parts of others', async () => {
    await sinebar.configuration.create('part', [
      { definitionType: 'AttributeDefinition', key: 2101, description: 'Weight', type: 'Float' },
    ]);
    const conflict = await demo();
    expect(conflict.code).toBe(1);
    expect(conflict.output).toContain('2101 is "Weight" of part (Float) here, and "Nominal value" of characteristic (Float) in the demo');
    expect(await sinebar.catalogs.list()).toEqual([]);
    await sinebar.configuration.delete('part', [2101]);

    const own = crypto.randomUUID();
    await sinebar.parts.create([{ uuid: own, path: `P:${DOOR}/` }]);
    for (const args of [[], ['--replace']]) {
      const refusal = await demo(args);
      expect(refusal.code).toBe(1);
      expect(refusal.output).toContain('"/Car door" is a part of your own on this server');
    }
    expect(await sinebar.parts.get(own)).toMatchObject({ path: `P:${DOOR}/` });
    await sinebar.parts.delete({ partUuids: [own] });
  });

  it('fills a server with a car door and smaller products, and the printed examples work', async () => {
    const { code, output } = await demo();
    expect({ code, output }).toMatchObject({ code: 0 });
    expect(output).toContain('8 parts, 232 characteristics, 5,750 measurements with 211,');
    expect(output).toContain('Measurements: 5750 of 5750');
    expect(output).toContain(`The same as an AQDEF file: ${aqdef}`);
    const copy = await sinebar.exchange.importFile(await openAsBlob(aqdef), { partPath: '/Copy', dryRun: true });
    expect(copy).toMatchObject({ parts: { created: 9 }, characteristics: { created: 232 }, measurements: { created: 5750 } });
    expect(
      await sinebar.measurements.search({ partPath: DOOR, deep: true, limitResult: -1, requestedMeasurementAttributes: 'None' }),
    ).toHaveLength(5000);
    const commands = [...output.matchAll(/curl .*/g)].map(([line]) => line);
    expect(commands).toHaveLength(7);
    const cwd = join(folder.path, 'tried');
    mkdirSync(cwd);
    const env = { ...process.env, ...CREDENTIALS };
    const answers = await Promise.all(
      commands.map((line) => run('bash', ['-euc', line.replace('curl ', 'curl -f ')], { cwd, env, maxBuffer: 2 ** 26 })),
    );
    const answerTo = (part: string) => JSON.parse(answers[commands.findIndex((line) => line.includes(part))]?.stdout ?? '') as unknown[];
    expect(answerTo('/parts?')).toHaveLength(5);
    expect(answerTo('/characteristics?')).toHaveLength(40);
    expect(answerTo('order=4')).toHaveLength(1000);
    expect(answerTo('statistics=Simple')[0]).toMatchObject({
      status: expect.arrayContaining([{ id: 'Green', count: expect.any(Number) }]),
    });
    expect(answerTo('ArchiveEntries')).toMatchObject([
      { entries: expect.arrayContaining(['README.txt', 'drawings/D-4711-000-C.png', 'limits/Car door.csv']) },
    ]);
  }, 120_000);

  it('keeps existing data, and replaces it on request', async () => {
    const before = await uuids();
    const again = await demo();
    expect(again.code).toBe(0);
    expect(again.output).toContain('The demo is there: 8 parts, 232 characteristics, 5,750 measurements, 10 files. Nothing was done');
    await sinebar.measurements.delete({ measurementUuids: before.slice(0, 10) });
    const damaged = await demo();
    expect(damaged.code).toBe(1);
    expect(damaged.output).toContain('5,740 measurements instead of 5,750');
    expect((await demo(['--replace'])).code).toBe(0);
    expect(await uuids()).toEqual(before);
  }, 120_000);

  it('explains wrong use', async () => {
    const nobody = await runToEnd(DEMO, {}, 60_000, ['--server', `http://127.0.0.1:${await freePort()}`]);
    expect(nobody.code).toBe(1);
    expect(nobody.output).toContain('Start one with sinebar start, or name yours with --server URL.');
    const anonymous = await demo([], {});
    expect(anonymous.code).toBe(1);
    expect(anonymous.output).toContain('Set SINEBAR_USER and SINEBAR_PASSWORD');
    const half = await demo([], { SINEBAR_USER: 'anna' });
    expect(half.code).toBe(1);
    expect(half.output).toBe('Set SINEBAR_USER and SINEBAR_PASSWORD together.\n');
    for (const [args, code, output] of [
      [['--sever', 'x'], 2, /^.+\nHow it is used: .+\n$/],
      [['extra'], 2, /^.+\nHow it is used: .+\n$/],
      [['--server', 'nowhere'], 1, /^.+\n$/],
    ] as const) {
      const wrong = await runToEnd(DEMO, CREDENTIALS, 60_000, args);
      expect([args, wrong.code, wrong.output]).toEqual([args, code, expect.stringMatching(output)]);
    }
    expect((await demo(['--help'])).output).toContain('--replace');
  }, 120_000);
});
