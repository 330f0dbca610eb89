import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeUnless, eventually, missingVariables } from '@sinebar/testing';
import { formsOf, readAnswers, RELEASES, type Started } from './kept-data.fixture.ts';

const [PART, DIAMETER, FIRST, SECOND] = [1, 3, 6, 7].map((number) => `0000000${number}-0000-4000-8000-000000000000`) as [
  string,
  string,
  string,
  string,
];
const LIMIT_MS = 180_000;

const kept = await Promise.all(
  readdirSync(RELEASES).flatMap((release) =>
    formsOf(release).map(async (form) => {
      const all = await readAnswers(join(RELEASES, release, form.answers));
      const answers = all.filter(([address]) => form.keepsEvents || !address.startsWith('/eventServiceRest/'));
      return { ...form, release, answers };
    }),
  ),
);

const [missing] = missingVariables(['postgres']);
// A cluster of PostgreSQL is tied to the system that made it.
const reason = missing ? `no ${missing}` : process.platform === 'linux' ? undefined : 'the kept data folders are of Linux';

describeUnless(reason, 'the present version', () => {
  describe.each(kept)('on $name of release $release', ({ release, answers, start }) => {
    let started: Started;
    let url: string;
    beforeAll(async () => {
      started = await start(join(RELEASES, release));
      ({ url } = started);
    }, LIMIT_MS);
    afterAll(() => started?.stop());

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

    it.each(answers)('answers GET %s as the release did', async (address, answer) => {
      // A member that came later is no difference.
      expect({ answer: await read(address) }).toMatchObject({ answer });
    });

    it('can be changed', async () => {
      expect((await send('PUT', '/dataServiceRest/parts', [{ uuid: PART, attributes: { 1001: 'new' } }])).status).toBe(200);
      expect(await read(`/dataServiceRest/parts/${PART}`)).toMatchObject({ attributes: { 1001: 'new' } });
      const measured = { uuid: SECOND, partUuid: PART, characteristics: { [DIAMETER]: { 1: '7.250' } } };
      expect((await send('PUT', '/dataServiceRest/values', [measured])).status).toBe(200);
      expect(await valuesOf(SECOND)).toEqual({ [DIAMETER]: { 1: '7.250' } });
      const added = { ...measured, uuid: '0000000b-0000-4000-8000-000000000000' };
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
});
