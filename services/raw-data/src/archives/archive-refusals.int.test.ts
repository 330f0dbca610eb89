import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeWith, zip } from '@sinebar/testing';
import request from 'supertest';
import { somebody, type RunningRawData } from '../running-raw-data.fixture.ts';
import { archiveCalls, BASE, MESSAGE, selector, startWithArchives } from './archive-calls.fixture.ts';

describeWith(['postgres'], 'errors of archives', () => {
  let running: RunningRawData;
  let part: string;
  beforeAll(async () => {
    ({ running, part } = await startWithArchives());
  });
  afterAll(() => running.stop());
  const { upload, get, query } = archiveCalls(() => running);

  describe('for files that are no archives', () => {
    const addresses: [string, () => request.Test][] = [
      ['ArchiveEntries', () => request(running.server).get(`${BASE}/part/${part}/1/ArchiveEntries`)],
      ['ArchiveContent', () => request(running.server).get(`${BASE}/part/${part}/1/ArchiveContent/x`)],
      ['ArchiveEntryQuery', () => query('Entry', { selectors: [selector(part, 0), selector(part, 1)] })],
      ['ArchiveContentQuery', () => query('Content', { selectors: [selector(part, 0, ['readme.txt']), selector(part, 1, ['x'])] })],
    ];
    it.each(addresses)('have the documented text for %s [R76, R90, R93, D2.5]', async (_name, send) => {
      const answer = await send();
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ Message: MESSAGE, message: MESSAGE, ExceptionType: 'UnsupportedArchive', StackTrace: '' });
      expect(answer.body).toMatchObject({
        details: [{ field: 'archive', message: expect.stringContaining(`raw data 1 of part ${part}: it`) }],
      });
    });

    it('are sent before any data when one of the files cannot be read [R90]', async () => {
      await upload(
        `part/${part}`,
        8,
        zip([
          { name: 'secret', flags: 0x801, content: 'x' },
          { name: 'wrong', content: 'x', crc: 1 },
        ]),
      );
      for (const name of ['secret', 'wrong']) {
        expect((await get(`/part/${part}/8/ArchiveContent/${name}`)).status).toBe(400);
        const answer = await query('Content', { selectors: [selector(part, 0, ['readme.txt']), selector(part, 8, [name])] });
        expect(answer).toMatchObject({ status: 400, body: { Message: MESSAGE } });
      }
    });

    it.each([
      '/part/U/99/ArchiveEntries',
      '/part/V/0/ArchiveEntries',
      '/part/U/99/ArchiveContent/x',
      '/thing/U/0/ArchiveEntries',
      '/part/U/0/ArchiveContent/',
    ])('are 404 when nothing exists: %s', async (path) => {
      expect((await get(path.replace('U', part).replace('V', randomUUID()))).status).toBe(404);
    });

    it('are 400 when the address is malformed', async () => {
      expect((await get(`/part/${part}/x/ArchiveEntries`)).status).toBe(400);
      expect((await get(`/part/x/0/ArchiveEntries`)).status).toBe(400);
      expect((await get(`/part/${part}/0/ArchiveContent/%E0%A4`)).status).toBe(400);
      expect((await request(running.server).put(`${BASE}/part/${part}/0/ArchiveEntries`)).status).toBe(405);
    });
  });

  describe('for users with rights on one subtree', () => {
    let uuids: string[];
    beforeAll(async () => {
      uuids = await Promise.all(Array.from({ length: 20 }, (_, i) => running.inspection.create(`pline${i}/`)));
      for (const [i, uuid] of uuids.entries()) await upload(`part/${uuid}`, 0, zip([{ name: `of ${i}`, content: `${i}` }]));
      await running.followed();
    });
    const asks = (uuid: string): [string, request.Test][] => [
      ['ArchiveEntries', get(`/part/${uuid}/0/ArchiveEntries`)],
      ['ArchiveContent', get(`/part/${uuid}/0/ArchiveContent/of%207`)],
    ];
    const listed = async (uuid: string) => (await query('Entry', { selectors: [selector(uuid, 0)] }).expect(200)).body as unknown[];

    it('are 403 for archives of other subtrees', async () => {
      await running.as(somebody({ read: ['pline7/'] }), async () => {
        for (const [kind, send] of asks(uuids[7] as string)) expect([kind, (await send).status]).toEqual([kind, 200]);
        expect(await listed(uuids[7] as string)).toHaveLength(1);
        for (const other of [uuids[0], uuids[19], part] as string[]) {
          for (const [kind, send] of asks(other)) expect([kind, (await send).status]).toEqual([kind, 403]);
          expect(await listed(other)).toEqual([]);
        }
      });
    });

    it('are the same before the mirror has the part', async () => {
      await running.query('DELETE FROM part WHERE uuid = $1::uuid', [uuids[7]]);
      await running.as(somebody({ read: ['pline7/'] }), async () => {
        for (const [kind, send] of asks(uuids[7] as string)) expect([kind, (await send).status]).toEqual([kind, 200]);
        expect(await listed(uuids[7] as string)).toHaveLength(1);
      });
      await running.as(somebody({ read: ['pline8/'] }), async () => {
        for (const [kind, send] of asks(uuids[7] as string)) expect([kind, (await send).status]).toEqual([kind, 403]);
        expect(await listed(uuids[7] as string)).toEqual([]);
      });
      await running.query(`INSERT INTO part (uuid, path) VALUES ($1::uuid, 'pline7/')`, [uuids[7]]);
    });
  });
});
