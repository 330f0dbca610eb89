import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { describeWith, eventually } from '@sinebar/testing';
import request from 'supertest';
import { startRawData, type RunningRawData } from '../running-raw-data.fixture.ts';

describeWith(['postgres'], 'follower for targets', () => {
  let running: RunningRawData;
  let part: string;
  beforeEach(async () => {
    running = await startRawData();
    part = await running.inspection.create('pa/');
  });
  afterEach(() => running.stop());

  const exists = (entity: string, uuid: string, owner = part) => running.inspection.targets.set(`${entity}|${uuid}`, owner);
  const markDeleted = (...targets: string[]) => targets.forEach((target) => running.inspection.targets.delete(target));
  const post = (entity: string, uuid: string, key = '') =>
    request(running.server)
      .post(`/rawDataServiceRest/rawData/${entity}/${encodeURIComponent(uuid)}${key}`)
      .set({ 'Content-Disposition': '"a.txt"', 'Content-Type': 'text/plain' })
      .send('x');
  const upload = async (entity: string, uuid: string) => {
    exists(entity, uuid);
    await post(entity, uuid).expect(201);
  };
  const left = async () => {
    const rows = await running.query<{ entity: string; target: string }>(
      `SELECT entity, CASE entity WHEN 'Value' THEN target_uuid || '|' || characteristic_uuid ELSE target_uuid::text END AS target
       FROM raw_data_object ORDER BY entity`,
    );
    return rows.map(({ entity, target }) => `${entity}|${target}`);
  };
  const [m, m2, c, c2] = Array.from({ length: 4 }, () => randomUUID()) as [string, string, string, string];
  const everything = [
    ['Characteristic', c],
    ['Characteristic', c2],
    ['Measurement', m],
    ['Measurement', m2],
    ['Part', ''],
    ['Value', `${m}|${c}`],
    ['Value', `${m}|${c2}`],
    ['Value', `${m2}|${c}`],
  ] as const;
  const uploadAll = async () => {
    for (const [entity, uuid] of everything) await upload(entity, entity === 'Part' ? part : uuid);
  };
  const without = (...deleted: string[]) =>
    everything.map(([entity, uuid]) => `${entity}|${entity === 'Part' ? part : uuid}`).filter((target) => !deleted.includes(target));

  it('deletes the files of deleted measurements and of their values [I111, D6.1]', async () => {
    await uploadAll();
    const deleted = [`Measurement|${m}`, `Value|${m}|${c}`, `Value|${m}|${c2}`];
    markDeleted(...deleted);
    await running.inspection.publishChange('MeasurementDeleted', part, [{ MeasurementUuid: m }, { MeasurementUuid: randomUUID() }]);
    await running.followed();
    expect((await left()).sort()).toEqual(without(...deleted).sort());
    const announced = (await running.announced()).filter(({ type }) => type === 'RawDataDeleted');
    expect(announced.map(({ RawDataEntity, TargetUuid }) => `${String(RawDataEntity)}|${String(TargetUuid)}`).sort()).toEqual(
      deleted.sort(),
    );
    const [envelope] = (await running.envelopes()).filter(({ type }) => type === 'RawDataDeleted');
    expect(envelope).toMatchObject({ sinebarpath: 'pa/', sinebarpart: part });
    await eventually(async () => expect(await running.storedNames()).toHaveLength(5));
  });

  it('deletes the files of deleted characteristics and of their values in all measurements [I128, D6.1]', async () => {
    await uploadAll();
    const deleted = [`Characteristic|${c}`, `Value|${m}|${c}`, `Value|${m2}|${c}`];
    markDeleted(...deleted);
    await running.inspection.publishChange('CharacteristicDeleted', part, [{ CharacteristicUuid: c, ParentPartUuid: part }]);
    await running.followed();
    expect((await left()).sort()).toEqual(without(...deleted).sort());
  });

  it('deletes only the files of values that a change of their measurement removed [D5.5]', async () => {
    await uploadAll();
    await running.inspection.publishChange('MeasurementModified', part, [{ MeasurementUuid: m, CharacteristicUuid: part }]);
    await running.followed();
    expect(await left()).toHaveLength(everything.length);
    markDeleted(`Value|${m}|${c}`);
    await running.inspection.publishChange('MeasurementModified', part, [{ MeasurementUuid: m, CharacteristicUuid: part }], {
      removedCharacteristics: [c, randomUUID()],
    });
    await running.followed();
    expect((await left()).sort()).toEqual(without(`Value|${m}|${c}`).sort());
  });

  it.each([
    ['ahead', 3_600_000],
    ['behind', -3_600_000],
  ])('keeps files of a target that was created again, and deletes older files, with a clock an hour %s', async (_, ms) => {
    const value = `${m}|${c}`;
    await upload('Measurement', m);
    await upload('Measurement', m2);
    await upload('Value', value);
    // The second is not created again.
    markDeleted(`Measurement|${m2}`);
    running.inspection.recreate('Measurement', m);
    running.inspection.recreate('Value', value);
    await upload('Measurement', m);
    await post('Value', value, '/0').expect(201);
    const time = new Date(Date.now() + ms);
    await running.inspection.publishChange('MeasurementDeleted', part, [{ MeasurementUuid: m }, { MeasurementUuid: m2 }], { time });
    await running.followed();
    expect(await left()).toEqual([`Measurement|${m}`, `Value|${value}`]);
    expect(await running.query('SELECT key FROM raw_data_object ORDER BY entity')).toEqual([{ key: 1 }, { key: 0 }]);
    markDeleted(`Measurement|${m}`, `Value|${value}`);
    await running.inspection.publishChange('MeasurementDeleted', part, [{ MeasurementUuid: m }], { time });
    await running.followed();
    expect(await left()).toEqual([]);
    // Files can be uploaded to the recreated target at once.
    await upload('Measurement', m);
  });

  it('distinguishes files of a removed value from files of the value created again, whatever the order of events [D5.5]', async () => {
    const value = `${m}|${c}`;
    const { versions } = running.inspection;
    const removedAt = (valuesVersion: number) =>
      running.inspection.publishChange('MeasurementModified', part, [{ MeasurementUuid: m, CharacteristicUuid: part }], {
        removedCharacteristics: [c],
        valuesVersion,
      });
    await upload('Value', value);
    await upload('Value', `${m}|${c2}`);
    // Version 1 removes the value and version 2 restores it; neither event has arrived yet.
    versions.set(m, 2);
    await upload('Value', value);
    await removedAt(1);
    await running.followed();
    expect(await running.query('SELECT key, target_version FROM raw_data_object WHERE characteristic_uuid = $1', [c])).toEqual([
      { key: 1, target_version: 2 },
    ]);
    // A new file under the same key belongs to the restored value.
    versions.set(m, 4);
    await post('Value', value, '/1').expect(201);
    await removedAt(3);
    await running.followed();
    expect((await left()).sort()).toEqual([`Value|${value}`, `Value|${m}|${c2}`].sort());
    await removedAt(5);
    await running.followed();
    expect(await left()).toEqual([`Value|${m}|${c2}`]);
  });

  it('keeps files without a stored identity while an entity with their uuid exists', async () => {
    await upload('Measurement', m);
    await running.query('UPDATE raw_data_object SET target_identity = NULL');
    running.inspection.recreate('Measurement', m);
    await running.inspection.publishChange('MeasurementDeleted', part, [{ MeasurementUuid: m }]);
    await running.followed();
    expect(await left()).toEqual([`Measurement|${m}`]);
  });

  it('moves files to the new part of their characteristic, including those below it', async () => {
    const other = await running.inspection.create('pother/');
    const stays = randomUUID();
    for (const uuid of [c, c2, stays]) await upload('Characteristic', uuid);
    // The event names only the first: the second is below it.
    for (const uuid of [c, c2]) exists('Characteristic', uuid, other);
    await running.inspection.publishChange('CharacteristicMoved', other, [{ CharacteristicUuid: c }], { from: part });
    await running.followed();
    await running.inspection.delete(part);
    await running.followed();
    expect((await left()).sort()).toEqual([`Characteristic|${c}`, `Characteristic|${c2}`].sort());
    await running.inspection.delete(other);
    await running.followed();
    expect(await left()).toEqual([]);
  });

  it('refuses a file whose target is deleted during the upload', async () => {
    exists('Measurement', m);
    let questions = 0;
    running.inspection.onResolve = () => {
      questions += 1;
      if (questions === 2) running.inspection.targets.delete(`Measurement|${m}`);
      return Promise.resolve();
    };
    await post('Measurement', m).expect(404);
    expect(questions).toBe(2);
    expect(await left()).toEqual([]);
    await eventually(async () => expect(await running.storedNames()).toEqual([]));
  });

  it('assigns a file to the new part of its target when it moved during the upload', async () => {
    const other = await running.inspection.create('pother/');
    exists('Characteristic', c);
    let questions = 0;
    running.inspection.onResolve = () => {
      questions += 1;
      if (questions === 2) exists('Characteristic', c, other);
      return Promise.resolve();
    };
    await post('Characteristic', c).expect(201);
    expect(await running.query('SELECT part_uuid FROM raw_data_object')).toEqual([{ part_uuid: other }]);
  });
});
