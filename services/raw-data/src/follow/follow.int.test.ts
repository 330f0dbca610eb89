import { randomUUID } from 'node:crypto';
import { afterEach, expect, it } from '@jest/globals';
import { describeWith, eventually } from '@sinebar/testing';
import request from 'supertest';
import { somebody, startRawData, type RunningRawData, type StartOptions } from '../running-raw-data.fixture.ts';
import { PartMirrorStore } from '../targets/part-mirror-store.ts';
import { AskedBus } from './asked-bus.fixture.ts';
import { FollowPositionStore } from './follow-position-store.ts';

const BASE = '/rawDataServiceRest/rawData/part';

describeWith(['postgres'], 'follower for parts', () => {
  let running: RunningRawData;
  afterEach(() => running.stop());

  const start = async (options?: StartOptions) => (running = await startRawData(options));
  const uploadTo = (entity: string, uuid: string, name: string) =>
    request(running.server)
      .post(`/rawDataServiceRest/rawData/${entity}/${uuid}`)
      .set({ 'Content-Disposition': `"${name}"`, 'Content-Type': 'text/plain' })
      .send('x')
      .expect(201);
  const upload = (uuid: string, name = 'a.txt') => uploadTo('part', uuid, name);
  const mirror = async () => {
    const rows = await running.query<{ uuid: string; path: string }>('SELECT uuid, path FROM part');
    return Object.fromEntries(rows.map(({ uuid, path }) => [uuid, path]));
  };
  const filesOf = async (uuid: string) => (await running.query('SELECT FROM raw_data_object WHERE part_uuid = $1', [uuid])).length;
  const settled = async () => {
    await running.followed();
    expect(await mirror()).toEqual(Object.fromEntries(running.inspection.parts));
  };
  /** @returns a function that reports a gap to the service */
  const startWithGaps = async (): Promise<() => Promise<void>> => {
    const bus = new AskedBus();
    await start({ bus: bus.wrap });
    return () => bus.loseMessages(running.bus);
  };
  const uuids = (count: number) => Array.from({ length: count }, () => randomUUID());

  it('reads all parts at its start and then follows their changes', async () => {
    const [a, b] = uuids(2) as [string, string];
    await start({ parts: { [a]: 'pa/', [b]: 'pa/pb/' } });
    await settled();
    const c = await running.inspection.create('pc/');
    await running.inspection.move(a, 'pc/pa2/');
    const d = await running.inspection.create('pc/pa2/pd/');
    await running.inspection.delete(d);
    await settled();
    await running.inspection.delete(c);
    expect(Object.keys(await mirror()).sort()).toEqual([a, b, c].sort());
    await settled();
    expect(await running.service.health()).toContainEqual(expect.objectContaining({ name: 'part mirror', healthy: true }));
  });

  it('deletes the files of a deleted part with their events and bytes [I111, D6.1]', async () => {
    await start();
    const [removed, kept] = [await running.inspection.create('pgone/'), await running.inspection.create('pkept/')];
    for (const name of ['a.txt', 'b.txt']) await upload(removed, name);
    await upload(kept);
    await running.inspection.delete(removed);
    await running.followed();
    expect(await filesOf(removed)).toBe(0);
    expect(await filesOf(kept)).toBe(1);
    expect(await running.announced()).toEqual(
      expect.arrayContaining([
        { type: 'RawDataDeleted', RawDataEntity: 'Part', TargetUuid: removed, Key: 0, Filename: 'a.txt' },
        { type: 'RawDataDeleted', RawDataEntity: 'Part', TargetUuid: removed, Key: 1, Filename: 'b.txt' },
      ]),
    );
    const deleted = (await running.envelopes()).filter(({ type }) => type === 'RawDataDeleted');
    expect(deleted).toEqual([expect.objectContaining({ sinebarpath: 'pgone/', sinebarpart: removed })]);
    await eventually(async () => expect(await running.storedNames()).toHaveLength(1));
    expect((await request(running.server).get(`${BASE}/${removed}`)).status).toBe(404);
  });

  it('applies the rights of the new path to files of a moved part [D8.2]', async () => {
    await start();
    const [a, b] = [await running.inspection.create('pa/'), await running.inspection.create('pa/pb/')];
    await upload(b);
    await running.inspection.move(a, 'pz/');
    await running.followed();
    const list = () => request(running.server).get('/rawDataServiceRest/rawDataInformation/part');
    await running.as(somebody({ read: ['pa/'] }), async () => expect((await list()).body).toEqual([]));
    await running.as(somebody({ read: ['pz/'] }), async () => expect((await list()).body).toHaveLength(1));
    await request(running.server).delete(`${BASE}/${b}/0`).expect(200);
    expect((await running.envelopes()).at(-1)).toMatchObject({ type: 'RawDataDeleted', sinebarpath: 'pz/pb/' });
  });

  it('asks for the current path before files are listed or deleted together, without waiting for the event of a move [D8.3]', async () => {
    await start();
    const uuid = await running.inspection.create('pa/');
    await upload(uuid);
    running.inspection.rename(uuid, 'pz/');
    const list = () => request(running.server).get(`/rawDataServiceRest/rawDataInformation/part/${uuid}`);
    await running.as(somebody({ read: ['pa/'], write: ['pa/'] }), async () => {
      await request(running.server).delete(`${BASE}/${uuid}`).expect(403);
    });
    expect(await filesOf(uuid)).toBe(1);
    await running.as(somebody({ read: ['pz/'], write: ['pz/'] }), async () => {
      expect((await list().expect(200)).body).toHaveLength(1);
      await request(running.server).delete(`${BASE}/${uuid}`).expect(200);
    });
    expect(await filesOf(uuid)).toBe(0);
  });

  it('ends with the right paths when many moves happened between the read and the events', async () => {
    // Both events arrive after the read: replacing prefixes would end with x below c.
    const [a, b, x] = uuids(3) as [string, string, string];
    await start({ parts: { [a]: 'pa/', [b]: 'pb/', [x]: 'pb/px/' }, start: false });
    running.inspection.rename(a, 'pc/');
    running.inspection.rename(b, 'pa/');
    await running.service.start();
    await settled();
    await running.inspection.publishPartChange('PartMoved', a, 'pc/', 'pa/');
    await running.inspection.publishPartChange('PartMoved', b, 'pa/', 'pb/');
    await settled();
    expect((await mirror())[x]).toBe('pa/px/');
  });

  it('follows the import and the deletion of many parts in few transactions', async () => {
    await start();
    const created: string[] = [];
    for (let i = 0; i < 1500; i += 1) created.push(await running.inspection.create(`p${i}/`));
    await settled();
    for (const uuid of created.slice(0, 1000)) await running.inspection.delete(uuid);
    await settled();
    expect(Object.keys(await mirror())).toHaveLength(500);
  });

  it('applies alternating kinds of changes in few transactions and ends with the existing parts', async () => {
    await start();
    const stays = await running.inspection.create('pstays/');
    await running.followed();
    const options = { signal: AbortSignal.timeout(60_000), statementTimeoutMs: 60_000 };
    const kept = new Set<string>();
    // The follower waits while its position is locked.
    await running.database.write(options, async (session) => {
      await new FollowPositionStore(session).lock();
      for (let i = 0; i < 60; i += 1) {
        const [part, child] = [await running.inspection.create(`p${i}/`), await running.inspection.create(`p${i}/pchild/`)];
        const characteristic = randomUUID();
        running.inspection.targets.set(`Characteristic|${characteristic}`, part);
        for (const uuid of [part, child]) await upload(uuid, `${uuid}.txt`);
        await uploadTo('characteristic', characteristic, `${characteristic}.txt`);
        await running.inspection.move(part, `pmoved${i}/`);
        if (i % 3 === 0) {
          running.inspection.targets.delete(`Characteristic|${characteristic}`);
          await running.inspection.publishChange('CharacteristicDeleted', part, [{ CharacteristicUuid: characteristic }]);
        } else {
          running.inspection.targets.set(`Characteristic|${characteristic}`, stays);
          await running.inspection.publishChange('CharacteristicMoved', stays, [{ CharacteristicUuid: characteristic }], { from: part });
          kept.add(characteristic);
        }
        await running.inspection.delete(child);
        if (i % 2 === 0) await running.inspection.delete(part);
        else kept.add(part);
      }
    });
    const transactions = async () =>
      BigInt((await running.query<{ xid: string }>('SELECT pg_current_xact_id()::text AS xid'))[0]?.xid ?? 0);
    const before = await transactions();
    await settled();
    expect(Number((await transactions()) - before)).toBeLessThan(60);
    const files = await running.query<{ target_uuid: string }>('SELECT target_uuid FROM raw_data_object');
    expect(new Set(files.map(({ target_uuid }) => target_uuid))).toEqual(kept);
  });

  it('does not restore a part that an upload asked for just before its deletion', async () => {
    await start();
    const uuid = randomUUID();
    running.inspection.parts.set(uuid, 'pnew/');
    await running.inspection.publishPartChange('PartCreated', uuid, 'pnew/');
    await upload(uuid);
    await running.inspection.delete(uuid);
    await settled();
    expect(await filesOf(uuid)).toBe(0);
    expect(await running.query('SELECT FROM deleted_target WHERE target_uuid = $1', [uuid])).toHaveLength(1);
    await running.inspection.create('pnew/', uuid);
    await settled();
    expect(await running.query('SELECT FROM deleted_target')).toEqual([]);
    await upload(uuid);
  });

  it.each([
    ['ahead', 3_600_000],
    ['behind', -3_600_000],
  ])('keeps only new files of a part that was created again before its deletion was followed, with a clock an hour %s', async (_, ms) => {
    await start({ start: false });
    const [uuid, characteristic, stays] = uuids(3) as [string, string, string];
    running.inspection.parts.set(uuid, 'p1/');
    for (const below of [characteristic, stays]) running.inspection.targets.set(`Characteristic|${below}`, uuid);
    await upload(uuid, 'old.txt');
    await uploadTo('characteristic', characteristic, 'old characteristic.txt');
    running.inspection.recreate('Part', uuid);
    running.inspection.recreate('Characteristic', characteristic);
    await upload(uuid, 'new.txt');
    await uploadTo('characteristic', characteristic, 'new characteristic.txt');
    await uploadTo('characteristic', stays, 'first.txt');
    await running.service.start();
    await running.followed();
    await running.inspection.publishPartChange('PartDeleted', uuid, 'p1/', undefined, new Date(Date.now() + ms));
    await running.inspection.publishPartChange('PartCreated', uuid, 'p1/');
    await settled();
    const names = await running.query<{ file_name: string }>('SELECT file_name FROM raw_data_object ORDER BY file_name');
    expect(names.map(({ file_name }) => file_name)).toEqual(['first.txt', 'new characteristic.txt', 'new.txt']);
  });

  it('waits for the transaction of an upload before it deletes', async () => {
    await start();
    const uuid = await running.inspection.create('pbusy/');
    await running.followed();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>();
    const uploading = running.database.write({ signal: AbortSignal.timeout(10_000), statementTimeoutMs: 10_000 }, async (session) => {
      await new PartMirrorStore(session).lockShared(uuid);
      locked();
      await held;
      await session.query(
        `INSERT INTO raw_data_object (entity, target_uuid, characteristic_uuid, part_uuid, key, file_name, mime_type, size_bytes, md5,
           created, last_modified, object_name)
         VALUES ('Part', $1, '00000000-0000-0000-0000-000000000000', $1, 0, 'x', 'a/b', 0, decode(repeat('0', 32), 'hex'),
           now(), now(), gen_random_uuid())`,
        [uuid],
      );
    });
    await isLocked;
    await running.inspection.delete(uuid);
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await eventually(async () => (await running.query(waiting)).length > 0, 'the follower waits for the upload');
    expect(await mirror()).toHaveProperty(uuid);
    release();
    await uploading;
    await settled();
    expect(await filesOf(uuid)).toBe(0);
  });

  it('continues after the inspection service was unavailable for a while', async () => {
    await start();
    const uuid = await running.inspection.create('pa/');
    await running.followed();
    let failures = 0;
    running.inspection.onResolve = () => ((failures += 1) <= 2 ? Promise.reject(new Error('not now')) : Promise.resolve());
    await running.inspection.move(uuid, 'pb/');
    await settled();
    expect(failures).toBe(3);
  });

  it('reads everything again when events are no longer stored', async () => {
    const gap = await startWithGaps();
    const [removed, moved, stays] = [
      await running.inspection.create('pgone/'),
      await running.inspection.create('pmoved/'),
      await running.inspection.create('pstays/'),
    ];
    for (const uuid of [removed, moved, stays]) await upload(uuid);
    await running.followed();
    // Events of these changes are never delivered.
    running.inspection.parts.delete(removed);
    running.inspection.rename(moved, 'pelsewhere/');
    const fresh = randomUUID();
    running.inspection.parts.set(fresh, 'pfresh/');
    await gap();
    await settled();
    expect(await filesOf(removed)).toBe(0);
    expect(await filesOf(moved)).toBe(1);
    expect(await filesOf(stays)).toBe(1);
    expect((await running.announced()).filter(({ type }) => type === 'RawDataDeleted')).toEqual([
      expect.objectContaining({ TargetUuid: removed }),
    ]);
    expect(await running.query('SELECT target_uuid FROM deleted_target')).toEqual([{ target_uuid: removed }]);
  });

  it('keeps files of characteristics that moved out of a part before its deletion, when both events were lost', async () => {
    const gap = await startWithGaps();
    const [removedPart, other] = [await running.inspection.create('pgone/'), await running.inspection.create('pother/')];
    const [moved, remade, deleted] = uuids(3) as [string, string, string];
    for (const uuid of [moved, remade, deleted]) {
      running.inspection.targets.set(`Characteristic|${uuid}`, removedPart);
      await uploadTo('characteristic', uuid, `${uuid}.txt`);
    }
    await running.followed();
    for (const uuid of [moved, remade]) running.inspection.targets.set(`Characteristic|${uuid}`, other);
    running.inspection.recreate('Characteristic', remade);
    running.inspection.parts.delete(removedPart);
    await gap();
    await settled();
    expect(await running.query('SELECT target_uuid, part_uuid FROM raw_data_object')).toEqual([{ target_uuid: moved, part_uuid: other }]);
    await eventually(async () => expect(await running.storedNames()).toHaveLength(1));
    await running.as(somebody({ read: ['pother/'] }), async () => {
      await request(running.server).get(`/rawDataServiceRest/rawData/characteristic/${moved}/0`).expect(200);
    });
  });

  it('compares more targets than one request may ask for', async () => {
    const gap = await startWithGaps();
    const part = await running.inspection.create('pa/');
    await running.followed();
    await running.query(
      `INSERT INTO raw_data_object (entity, target_uuid, characteristic_uuid, part_uuid, key, file_name, mime_type, size_bytes, md5,
         created, last_modified, object_name)
       SELECT 'Measurement', md5(n::text)::uuid, '00000000-0000-0000-0000-000000000000', $1, k, 'x', 'a/b', 0,
         decode(repeat('0', 32), 'hex'), now(), now(), gen_random_uuid()
       FROM generate_series(0, 1099) AS n, generate_series(0, 1) AS k`,
      [part],
    );
    const rows = await running.query<{ uuid: string }>('SELECT DISTINCT target_uuid AS uuid FROM raw_data_object');
    for (const { uuid } of rows.slice(0, 500)) running.inspection.targets.set(`Measurement|${uuid}`, part);
    await gap();
    expect(await filesOf(part)).toBe(1000);
  });

  it('runs on one replica, and on the next after that one stops', async () => {
    await start();
    const second = running.compose();
    await second.start();
    const leaders = () =>
      running.query(
        `SELECT FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
         AND (classid::bigint << 32) | objid::bigint = hashtextextended('raw-data follower ' || current_schema(), 0)`,
      );
    await running.inspection.create('pfirst/');
    await settled();
    expect(await leaders()).toHaveLength(1);
    await running.service.stop();
    await running.inspection.create('psecond/');
    await settled();
    expect(await leaders()).toHaveLength(1);
    await second.stop();
    expect(await leaders()).toHaveLength(0);
  });
});
