import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { describeWith, eventually } from '@sinebar/testing';
import request from 'supertest';
import { startRawData, type RunningRawData } from '../running-raw-data.fixture.ts';
import { TargetResolver } from '../targets/target-resolver.ts';
import { AskedBus } from './asked-bus.fixture.ts';

const FILES = '/rawDataServiceRest/rawData';

describeWith(['postgres'], 'requests to the inspection service', () => {
  let running: RunningRawData;
  let asked: AskedBus;
  let part: string;
  beforeEach(async () => {
    asked = new AskedBus();
    running = await startRawData({ bus: asked.wrap });
    part = await running.inspection.create('pa/');
    await running.followed();
  });
  afterEach(() => running.stop());

  const exists = (entity: string, uuid: string, owner = part) => running.inspection.targets.set(`${entity}|${uuid}`, owner);
  const post = (entity: string, uuid: string) =>
    request(running.server)
      .post(`${FILES}/${entity}/${encodeURIComponent(uuid)}`)
      .set({ 'Content-Disposition': '"a.txt"', 'Content-Type': 'text/plain' })
      .send('x');
  const files = () =>
    running.query<{ target: string; part: string; identity: string }>(
      'SELECT target_uuid AS target, part_uuid AS part, target_identity AS identity FROM raw_data_object ORDER BY id',
    );
  /** Runs `change` once, between the answer to request `number` and its use. */
  const afterAnswer = (number: number, change: () => Promise<void>) => {
    let answers = 0;
    asked.onReply = async () => {
      answers += 1;
      if (answers === number) await change();
    };
    return () => answers;
  };
  const deleteMeasurement = async (uuid: string) => {
    running.inspection.targets.delete(`Measurement|${uuid}`);
    running.inspection.recreate('Measurement', uuid);
    await running.inspection.publishChange('MeasurementDeleted', part, [{ MeasurementUuid: uuid }]);
    await running.followed();
  };

  it('are sent while no transaction is open', async () => {
    const inTransaction = new AsyncLocalStorage<boolean>();
    const write = running.database.write.bind(running.database);
    running.database.write = (options, work) => write(options, (session) => inTransaction.run(true, () => work(session)));
    let questions = 0;
    let wrong = 0;
    asked.onAsk = () => {
      questions += 1;
      if (inTransaction.getStore() === true) wrong += 1;
      return Promise.resolve();
    };
    const other = await running.inspection.create('pother/');
    const [measurement, characteristic, moved] = [randomUUID(), randomUUID(), randomUUID()];
    exists('Measurement', measurement);
    for (const uuid of [characteristic, moved]) exists('Characteristic', uuid);
    exists('Value', `${measurement}|${characteristic}`);
    await running.followed();
    await post('part', part).expect(201);
    await post('part', other).expect(201);
    await post('measurement', measurement).expect(201);
    await post('value', `${measurement}|${characteristic}`).expect(201);
    await post('characteristic', moved).expect(201);
    expect(questions).toBe(10);
    await request(running.server).delete(`${FILES}/part/${part}`).expect(200);
    await deleteMeasurement(measurement);
    exists('Characteristic', moved, other);
    await running.inspection.publishChange('CharacteristicMoved', other, [{ CharacteristicUuid: moved }], { from: part });
    await running.inspection.move(other, 'pmoved/');
    await running.followed();
    await post('part', part).expect(201);
    await running.inspection.delete(part);
    await running.followed();
    running.inspection.parts.delete(other);
    questions = 0;
    await asked.loseMessages(running.bus);
    expect(questions).toBeGreaterThan(2);
    expect(await files()).toEqual([]);
    expect(wrong).toBe(0);
    // The fixture fails on a request inside a transaction.
    const options = { signal: AbortSignal.timeout(10_000), statementTimeoutMs: 10_000 };
    await running.database.write(options, () => new TargetResolver(running.bus).resolve({ entity: 'Part', uuid: part }, options.signal));
    expect(wrong).toBe(1);
  });

  it('are repeated when the deletion of the target was followed between answer and lock', async () => {
    const measurement = randomUUID();
    exists('Measurement', measurement);
    const answers = afterAnswer(2, () => deleteMeasurement(measurement));
    await post('measurement', measurement).expect(404);
    expect(answers()).toBe(3);
    expect(await files()).toEqual([]);
    await eventually(async () => expect(await running.storedNames()).toEqual([]));
  });

  it('are repeated when the target was created again between answer and lock, so that the file belongs to the new one', async () => {
    const measurement = randomUUID();
    exists('Measurement', measurement);
    afterAnswer(2, async () => {
      await deleteMeasurement(measurement);
      exists('Measurement', measurement);
    });
    await post('measurement', measurement).expect(201);
    expect(await files()).toEqual([{ target: measurement, part, identity: `${measurement} 1` }]);
  });

  it('are repeated when the target moved to another part between answer and lock', async () => {
    const other = await running.inspection.create('pother/');
    const characteristic = randomUUID();
    exists('Characteristic', characteristic);
    await running.followed();
    afterAnswer(2, async () => {
      exists('Characteristic', characteristic, other);
      await running.inspection.publishChange('CharacteristicMoved', other, [{ CharacteristicUuid: characteristic }], { from: part });
      await running.followed();
    });
    await post('characteristic', characteristic).expect(201);
    expect((await files()).map((file) => file.part)).toEqual([other]);
  });

  it('are repeated when a part was deleted and created again between answer and lock', async () => {
    afterAnswer(2, async () => {
      await running.inspection.delete(part);
      await running.inspection.create('pa/', part);
      await running.followed();
    });
    await post('part', part).expect(201);
    expect(await files()).toEqual([{ target: part, part, identity: `${part} 1` }]);
  });

  it('are repeated when a comparison with all existing targets ran between answer and lock', async () => {
    const [unheard, measurement] = [randomUUID(), randomUUID()];
    running.inspection.parts.set(unheard, 'punheard/');
    exists('Measurement', measurement, unheard);
    afterAnswer(2, async () => {
      running.inspection.parts.delete(unheard);
      await asked.loseMessages(running.bus);
    });
    await post('measurement', measurement).expect(404);
    expect(await files()).toEqual([]);
  });

  it('keep a file that was stored for a recreated target while the old deletion is followed', async () => {
    const measurement = randomUUID();
    exists('Measurement', measurement);
    await post('measurement', measurement).expect(201);
    running.inspection.recreate('Measurement', measurement);
    // The first answer belongs to the follower, which now knows that the old target was deleted.
    afterAnswer(1, async () => {
      asked.onReply = () => Promise.resolve();
      await request(running.server)
        .put(`${FILES}/measurement/${measurement}/0`)
        .set({ 'Content-Disposition': '"b.txt"', 'Content-Type': 'text/plain' })
        .send('y')
        .expect(200);
    });
    await running.inspection.publishChange('MeasurementDeleted', part, [{ MeasurementUuid: measurement }]);
    await running.followed();
    expect(await files()).toEqual([{ target: measurement, part, identity: `${measurement} 1` }]);
    expect((await running.announced()).map(({ type }) => type)).toEqual(['RawDataCreated', 'RawDataModified']);
  });
});
