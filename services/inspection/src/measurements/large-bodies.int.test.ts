import { PathScope } from '@sinebar/access-control';
import { randomUUID } from 'node:crypto';
import { describeWith } from '@sinebar/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startInspection, type RunningInspection } from '../running-inspection.fixture.ts';
import { define, PlanClient } from '../plan/plan-client.fixture.ts';
import { MeasurementClient } from './measurement-client.fixture.ts';

const CHARACTERISTICS = 200;
/** Measurements of a body of about 900 KiB, which is stored while it is read. */
const MEASUREMENTS = 75;

interface Sent {
  uuid: string;
  partUuid: string;
  attributes?: Record<string, string>;
  characteristics: Record<string, Record<string, string>>;
}

describeWith(['postgres'], 'large bodies of measurements', () => {
  let inspection: RunningInspection;
  const plan = new PlanClient(() => inspection);
  const client = new MeasurementClient(() => inspection);
  let [part, other]: [string, string] = ['', ''];
  let [own, foreign]: [string[], string[]] = [[], []];

  beforeAll(async () => {
    inspection = await startInspection();
    await define(inspection, { key: 14, entity: 'measurement', type: 'AlphaNumeric' }, { key: 15, entity: 'value', type: 'AlphaNumeric' });
    [part = '', other = ''] = await plan.create('P:/Large/', 'P:/Other/');
    own = await client.manyCharacteristics(part, CHARACTERISTICS);
    foreign = await client.manyCharacteristics(other, CHARACTERISTICS);
    // Creates the characteristic set of each part.
    await client.post('values', [measurementOf(part, own, 0), measurementOf(other, foreign, 0)]).expect(201);
  });
  afterAll(() => inspection.stop());

  const measurementOf = (partUuid: string, characteristics: readonly string[], number: number): Sent => ({
    uuid: randomUUID(),
    partUuid,
    attributes: { 14: `no. ${number}` },
    characteristics: Object.fromEntries(characteristics.map((uuid, i) => [uuid, { 1: `${number}.${String(i).padStart(3, '0')}` }])),
  });
  const body = (partUuid = part, characteristics: readonly string[] = own): Sent[] =>
    Array.from({ length: MEASUREMENTS }, (_, i) => measurementOf(partUuid, characteristics, i));
  const expectStored = async (sent: readonly Sent[]) => {
    for (const { uuid, ...measurement } of sent) expect(await client.stored(uuid)).toMatchObject(measurement);
  };
  const announcedSince = async (before: number) =>
    (await inspection.announced()).slice(before).map((event) => (event as { MeasurementUuid?: string }).MeasurementUuid);

  it('are stored as sent with ordered events, for several parts and for values with attributes [I164]', async () => {
    const before = (await inspection.announced()).length;
    const sent = body();
    sent[40] = measurementOf(other, foreign, 40);
    Object.assign(sent[41]?.characteristics[own[7] ?? ''] ?? {}, { 15: 'a text' });
    await client.post('values', sent).expect(201);
    await expectStored(sent);
    const events = await announcedSince(before);
    const uuidsOf = (of: string) => sent.filter(({ partUuid }) => partUuid === of).map(({ uuid }) => uuid);
    expect(events).toEqual([...uuidsOf(part), ...uuidsOf(other)]);
  });

  it('are stored for parts without a characteristic set', async () => {
    const [fresh = ''] = await plan.create('P:/Fresh/');
    const sent = body(fresh, await client.manyCharacteristics(fresh, CHARACTERISTICS));
    await client.post('values', sent).expect(201);
    await expectStored(sent);
  });

  it('are stored when most of the body is white space or members have another order', async () => {
    const sent = body();
    await client.post('values', JSON.stringify(sent, null, 2)).expect(201);
    const reordered = body().map(({ uuid, ...others }) => ({ ...others, uuid }));
    await client.post('values', reordered).expect(201);
    await expectStored([...sent, ...reordered]);
  });

  describe('with an error near the end', () => {
    const last = MEASUREMENTS - 1;
    const changed = (change: (measurement: Sent, first: Sent) => Sent) => {
      const sent = body();
      sent[last] = change(sent[last] as Sent, sent[0] as Sent);
      return JSON.stringify(sent);
    };
    const withValue = (characteristic: string, value: Record<string, string>) =>
      changed((measurement) => ({ ...measurement, characteristics: { ...measurement.characteristics, [characteristic]: value } }));

    it.each<[string, number, RegExp, () => string]>([
      ['an unknown part', 400, /^\[74\]\.partUuid: There is no part/, () => changed((each) => ({ ...each, partUuid: randomUUID() }))],
      ['an unknown attribute', 400, /^\[74\] .*attribute "77"/, () => changed((each) => ({ ...each, attributes: { 77: 'x' } }))],
      ['an attribute of a value', 400, /^\[74\] .*attribute "78"/, () => withValue(own[3] ?? '', { 1: '1', 78: 'x' })],
      ['a characteristic of another part', 400, /^\[74\]\.characteristics\..*in the part/, () => withValue(foreign[0] ?? '', { 1: '1' })],
      ['a value that is no number', 400, /^\[74\] .*must be a number/, () => withValue(own[3] ?? '', { 1: 'one' })],
      [
        'the uuid of the first one',
        400,
        /^\[74\]\.uuid: .* stands in \[0\] already/,
        () => changed((each, { uuid }) => ({ ...each, uuid })),
      ],
      ['no end', 400, /not valid JSON/, () => changed((each) => each).slice(0, -1)],
      ['something behind its end', 400, /not valid JSON/, () => `${changed((each) => each)}]`],
    ])('(%s) store nothing and report the error [I164]', async (_, status, sentence, make) => {
      const count = await client.count(part);
      const announced = (await inspection.announced()).length;
      expect(await plan.refused(client.post('values', make()))).toEqual([status, expect.stringMatching(sentence)]);
      expect(await client.count(part)).toBe(count);
      expect(await inspection.announced()).toHaveLength(announced);
    });

    it('(a uuid that exists) store nothing and report the uuid', async () => {
      const { uuid } = measurementOf(part, own, 0);
      await client.post('values', [{ uuid, partUuid: part }]).expect(201);
      const count = await client.count(part);
      const announced = (await inspection.announced()).length;
      const text = changed((each) => ({ ...each, uuid }));
      expect(await plan.refused(client.post('values', text))).toEqual([409, expect.stringContaining(uuid)]);
      expect(await client.count(part)).toBe(count);
      expect(await inspection.announced()).toHaveLength(announced);
    });

    it('(a part that may not be written) store nothing', async () => {
      const mine = PathScope.below('plarge/');
      const worker = { name: 'worker', rightsKey: 'worker', scopeOf: () => mine, holds: () => true };
      const count = await client.count(part);
      const text = changed(() => measurementOf(other, foreign, 0));
      await inspection.as(worker, async () => {
        expect(await plan.refused(client.post('values', text))).toEqual([
          403,
          expect.stringContaining('You may not write the measurement'),
        ]);
        await client.post('values', body()).expect(201);
      });
      expect(await client.count(part)).toBe(count + MEASUREMENTS);
    });
  });

  describe('with several mistakes', () => {
    const [first, last] = [0, MEASUREMENTS - 1];
    const textWith = (...changes: readonly [index: number, change: Partial<Sent>][]) => {
      const sent = body();
      for (const [index, change] of changes) Object.assign(sent[index] as Sent, change);
      return JSON.stringify(sent);
    };
    const unknownPart = { partUuid: randomUUID() };
    const unknownAttribute = { attributes: { 77: 'x' } };
    const unknownCharacteristic = () => ({ characteristics: { [foreign[0] ?? '']: { 1: '1' } } });
    const badValue = () => ({ characteristics: { [own[0] ?? '']: { 78: 'x' } } });

    it.each<[string, RegExp, () => string]>([
      ['the first of two unknown parts', /^\[0\]\.partUuid/, () => textWith([first, unknownPart], [last, unknownPart])],
      ['a part before an attribute', /^\[74\]\.partUuid/, () => textWith([first, unknownAttribute], [last, unknownPart])],
      [
        'an attribute before a characteristic',
        /^\[74\] .*"77"/,
        () => textWith([first, unknownCharacteristic()], [last, unknownAttribute]),
      ],
      ['a characteristic before a value', /^\[74\]\.characteristics/, () => textWith([first, badValue()], [last, unknownCharacteristic()])],
      [
        'a uuid twice before a part',
        /^\[74\]\.uuid: .*\[73\]/,
        () => {
          const uuid = randomUUID();
          return textWith([first, unknownPart], [last - 1, { uuid }], [last, { uuid }]);
        },
      ],
      [
        'a uuid twice at the beginning before a part',
        /^\[2\]\.uuid: .*\[1\]/,
        () => {
          const uuid = randomUUID();
          return textWith([1, { uuid }], [2, { uuid }], [last, unknownPart]);
        },
      ],
      ['the JSON before a part', /not valid JSON/, () => textWith([first, unknownPart]).slice(0, -1)],
      [
        'the form before a uuid twice',
        /^Body: \[74\]\.partUuid: must be a uuid/,
        () => {
          const uuid = randomUUID();
          return textWith([first, { uuid }], [1, { uuid }], [last, { partUuid: 'x' }]);
        },
      ],
    ])('report %s', async (_, sentence, make) => {
      const before = await client.count(part);
      expect(await plan.refused(client.post('values', make()))).toEqual([400, expect.stringMatching(sentence)]);
      expect(await client.count(part)).toBe(before);
    });

    it('report any of them before a uuid that exists', async () => {
      const { uuid } = measurementOf(part, own, 0);
      await client.post('values', [{ uuid, partUuid: part }]).expect(201);
      const refusedWith = async (text: string) => plan.refused(client.post('values', text));
      expect(await refusedWith(textWith([first, { uuid }], [last, badValue()]))).toEqual([400, expect.stringMatching(/^\[74\] .*"78"/)]);
      expect(await refusedWith(textWith([first, { uuid }], [last, unknownPart]))).toEqual([
        400,
        expect.stringMatching(/^\[74\]\.partUuid/),
      ]);
      expect(await refusedWith(textWith([first, { uuid }]).slice(0, -1))).toEqual([400, expect.stringContaining('not valid JSON')]);
      expect(await refusedWith(textWith([first, { uuid }]))).toEqual([409, expect.stringContaining(uuid)]);
    });
  });

  it('are stored for one of several clients that send the same uuids at once, and refused for the others', async () => {
    const sent = body();
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, i) => client.post('values', i % 2 === 0 ? sent : [...sent].reverse()).then(({ status }) => status)),
    );
    expect(answers.sort()).toEqual([201, 409, 409, 409]);
    await expectStored(sent);
  });

  it('use the current plan after a change between two bodies', async () => {
    const [name, moved] = [randomUUID(), randomUUID()];
    const [changing = ''] = await plan.create(`P:/${name}/`);
    const known = await plan.create(...Array.from({ length: 3 }, (_, i) => `PC:/${name}/${i}/`));
    const values = (characteristics: readonly string[]) => Object.fromEntries(characteristics.map((uuid) => [uuid, { 1: '1' }]));
    const write = (characteristics: readonly string[]) =>
      client.post(
        'values',
        Array.from({ length: 1500 }, () => ({ uuid: randomUUID(), partUuid: changing, characteristics: values(characteristics) })),
      );
    const lastPath = async () => (await inspection.envelopes()).at(-1)?.sinebarpath;
    await write(known).expect(201);
    await write(known).expect(201);
    expect(await lastPath()).toBe(`p${name}/`);
    await plan.put('part', [{ uuid: changing, path: `P:/${moved}/` }]).expect(200);
    await write(known).expect(201);
    expect(await lastPath()).toBe(`p${moved}/`);
    const added = await plan.create(`PC:/${moved}/new/`);
    await write([...known, ...added]).expect(201);
    await plan.delete(`characteristics?charUuids={${known[0] ?? ''}}`).expect(200);
    expect(await plan.refused(write(known))).toEqual([400, expect.stringContaining(known[0] ?? '')]);
    await write([...known.slice(1), ...added]).expect(201);
    await plan.delete(`parts?partUuids={${changing}}`).expect(200);
    expect(await plan.refused(write(known.slice(1)))).toEqual([400, expect.stringContaining(`There is no part ${changing}`)]);
  });
});
