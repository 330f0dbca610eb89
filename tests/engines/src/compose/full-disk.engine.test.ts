import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { eventually, describeUnless } from '@sinebar/testing';
import { ComposeProject, firstFreePort, whyNoCompose } from '../support/compose-project.ts';

const PROJECT = `${process.env['ENGINES_PROJECT'] ?? 'sinebar-engines'}-disk`;
const MINUTES = 60_000;
const FILL = '/var/lib/postgresql/fill';
const isShort = process.env['ENGINES_SHORT'] === '1';

const why = isShort ? 'not in the short form' : whyNoCompose();

describeUnless(why, 'a full disk of PostgreSQL', () => {
  let stack: ComposeProject;
  const parts = () => `${stack.url}/dataServiceRest/parts`;
  const acknowledged: string[] = [];

  /** Creates parts, as many as need space on the disk. @returns the status and the sentence of the answer */
  async function create(): Promise<{ status: number; text: string }> {
    const uuids = Array.from({ length: 200 }, () => randomUUID());
    const answer = await fetch(parts(), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(uuids.map((uuid) => ({ uuid, path: `P:/${uuid}${'x'.repeat(40)}/` }))),
    });
    if (answer.ok) acknowledged.push(...uuids);
    return { status: answer.status, text: await answer.text() };
  }

  async function stored(): Promise<Set<string>> {
    const answer = await fetch(`${parts()}?depth=1`);
    expect(answer.status).toBe(200);
    return new Set(((await answer.json()) as { uuid: string }[]).map(({ uuid }) => uuid));
  }

  beforeAll(async () => {
    stack = new ComposeProject({
      project: PROJECT,
      port: await firstFreePort(18_110, 18_139),
      network: '172.31.183',
      files: [join(import.meta.dirname, '../support/small-disk.yml')],
    });
    await stack.down({ volumes: true });
    await stack.up();
  }, 8 * MINUTES);

  afterAll(() => stack?.down({ volumes: true }), 3 * MINUTES);

  it(
    'refuses writes with a sentence, continues to read, and loses nothing',
    async () => {
      expect((await create()).status).toBe(201);
      // It ends when there is no space.
      await stack.run(['exec', '--no-TTY', 'postgres', 'dd', 'if=/dev/zero', `of=${FILL}`, 'bs=1M']);
      let refused = await create();
      for (let attempt = 0; refused.status === 201 && attempt < 100; attempt += 1) refused = await create();
      expect(refused.status).toBe(503);
      expect(refused.text).toContain('The storage of the database is full. Nothing was stored.');
      const readable = await stored();
      expect(acknowledged.filter((uuid) => !readable.has(uuid))).toEqual([]);

      await stack.must(['exec', '--no-TTY', 'postgres', 'rm', FILL]);
      await eventually(async () => expect((await create()).status).toBe(201), { timeoutMs: MINUTES, intervalMs: 1000 });
      const found = await stored();
      expect(acknowledged.filter((uuid) => !found.has(uuid))).toEqual([]);
    },
    5 * MINUTES,
  );
});
