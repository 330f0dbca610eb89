import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeUnless } from '@sinebar/testing';
import { ComposeProject, firstFreePort, whyNoCompose } from '../support/compose-project.ts';

const PROJECT = `${process.env['ENGINES_PROJECT'] ?? 'sinebar-engines'}-tools`;
const MINUTES = 60_000;
const JSON_TYPE = { 'content-type': 'application/json' };
const isShort = process.env['ENGINES_SHORT'] === '1';

const why = isShort ? 'not in the short form' : whyNoCompose();

describeUnless(why, 'docker compose run tools', () => {
  const part = randomUUID();
  const characteristic = randomUUID();
  const measurement = randomUUID();
  const content = randomBytes(100_000);
  let stack: ComposeProject;
  let backups: string;
  let fileKey: number;
  let before: unknown[];

  const send = async (method: string, path: string, body?: object | Buffer, headers: Record<string, string> = JSON_TYPE) => {
    const bytes = Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body);
    const answer = await fetch(stack.url + path, { method, ...(body !== undefined && { body: bytes, headers }) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`);
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  };
  const fileBytes = async () =>
    Buffer.from(await (await fetch(`${stack.url}/rawDataServiceRest/rawData/part/${part}/${fileKey}`)).arrayBuffer());
  /** Reads the data of this test as a client sees them. */
  const state = () =>
    Promise.all([
      send('GET', `/dataServiceRest/parts/${part}`),
      send('GET', `/dataServiceRest/characteristics?partPath=/pump`),
      send('GET', `/dataServiceRest/values?partUuids={${part}}`),
      send('GET', `/rawDataServiceRest/rawDataInformation/part/${part}`),
    ]);

  /** Runs a command that must succeed. @returns what it prints */
  const succeed = async (...args: string[]) => {
    const { code, stdout, stderr } = await stack.tools(args);
    if (code !== 0) throw new Error(`tools ${args.join(' ')} ended with ${code}: ${stdout}${stderr}`);
    return stdout;
  };

  beforeAll(async () => {
    backups = mkdtempSync(join(tmpdir(), 'sinebar-backups-'));
    // The user of the container is another one than that of this test.
    chmodSync(backups, 0o777);
    stack = new ComposeProject({
      project: PROJECT,
      port: await firstFreePort(18_110, 18_139),
      network: '172.31.182',
      env: { SINEBAR_BACKUP_DIR: backups },
    });
    await stack.down({ volumes: true });
    await stack.up();
    await send('POST', '/dataServiceRest/parts', [{ uuid: part, path: 'P:/pump/' }]);
    await send('POST', '/dataServiceRest/characteristics', [{ uuid: characteristic, path: 'PC:/pump/diameter/' }]);
    await send('POST', '/dataServiceRest/values', [
      {
        uuid: measurement,
        partUuid: part,
        attributes: { 4: '2026-01-05T08:30:00Z' },
        characteristics: { [characteristic]: { 1: '20.010' } },
      },
    ]);
    const file = { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment; filename="scan.bin"' };
    fileKey = ((await send('POST', `/rawDataServiceRest/rawData/part/${part}`, content, file)) as { key: number }).key;
    before = await state();
  }, 12 * MINUTES);

  afterAll(async () => {
    await stack?.down({ volumes: true });
    // Its files belong to the user of the container.
    rmSync(backups, { recursive: true, force: true });
  }, 3 * MINUTES);

  it(
    'prints the commands',
    async () => {
      const { code, stderr } = await stack.tools(['repair']);
      expect(code).toBe(2);
      expect(stderr).toContain('There is no command repair.');
      for (const name of ['backup', 'restore', 'doctor', 'export', 'import', 'plants', 'access']) expect(stderr).toContain(`  ${name} `);
    },
    MINUTES,
  );

  it(
    'starts no product of one process, because no database is embedded',
    async () => {
      const { code, stderr } = await stack.tools(['start']);
      expect(code).toBe(1);
      expect(stderr).toMatch(/The embedded PostgreSQL for this computer .* is not installed.*start --services/);
    },
    MINUTES,
  );

  it(
    'doctor finds no problem',
    async () => {
      await expect(succeed('doctor')).resolves.toContain('event stream');
    },
    2 * MINUTES,
  );

  it(
    'backup and restore into new volumes give the same data',
    async () => {
      expect(await succeed('backup', 'first')).toMatch(/first: \d+ rows and 1 files/);
      await stack.down({ volumes: true });

      await succeed('restore', 'first', '--replace-event-stream');
      await stack.up();
      expect(await state()).toEqual(before);
      expect((await fileBytes()).equals(content)).toBe(true);
      await succeed('doctor');
    },
    8 * MINUTES,
  );

  it(
    'export and import bring a part back',
    async () => {
      const server = ['--server', 'http://sinebar:8080'];
      await succeed('export', ...server, '--path', '/pump', 'pump.zip');
      await send('DELETE', `/dataServiceRest/parts/${part}`);
      await succeed('import', ...server, 'pump.zip');
      expect((await fileBytes()).equals(content)).toBe(true);
      expect(await send('GET', `/dataServiceRest/values?partUuids={${part}}`)).toMatchObject([
        { uuid: measurement, characteristics: { [characteristic]: { 1: expect.anything() } } },
      ]);
    },
    4 * MINUTES,
  );

  it(
    'access hashes a password',
    async () => {
      const { code, stdout } = await stack.tools(['access', 'hash'], { input: 'correct horse battery staple\n' });
      expect(code).toBe(0);
      expect(stdout).toMatch(/^\$argon2id\$/);
    },
    MINUTES,
  );

  it(
    'writes nothing outside of the folder for backups',
    async () => {
      const { stdout } = await stack.run([
        'run',
        '--rm',
        '--no-TTY',
        '--entrypoint',
        'sh',
        'tools',
        '-c',
        'id -u; touch /app/x 2>&1; touch /etc/x 2>&1',
      ]);
      expect(stdout).toContain('10001\n');
      expect(stdout.match(/Read-only file system/g)).toHaveLength(2);
      expect(existsSync(join(backups, 'first/manifest.json'))).toBe(true);
    },
    MINUTES,
  );
});
