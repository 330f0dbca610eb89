import { randomUUID } from 'node:crypto';
import { describeWith } from '@sinebar/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startInspection, type RunningInspection } from '../../running-inspection.fixture.ts';
import { define, PlanClient } from '../../plan/plan-client.fixture.ts';
import { insertMeasurements } from '../reading/measurement-rows.fixture.ts';

/** Attribute 14 is the serial number. A lid, a box and a label are measured separately; times increase from left to right. */
const MEASURED = {
  lid: ['S1', 'S2', 'S3', 'S1'],
  box: ['S2', 'S1', 'S4', undefined],
  label: ['S1', 'S5', 'S3', undefined],
} as const;

describeWith(['postgres'], 'merging measurements of several parts', () => {
  let inspection: RunningInspection;
  const client = new PlanClient(() => inspection);
  const parts = new Map<string, string>();
  const names = new Map<string, string>();

  beforeAll(async () => {
    inspection = await startInspection();
    await define(inspection, { key: 14, entity: 'measurement', type: 'AlphaNumeric' }, { key: 15, entity: 'measurement', type: 'Integer' });
    const uuids = await client.create(...Object.keys(MEASURED).map((name) => `P:/${name}/`));
    Object.keys(MEASURED).forEach((name, i) => parts.set(name, uuids[i] as string));
    const measurements = Object.entries(MEASURED).flatMap(([name, serials], p) =>
      serials.map((serial, i) => {
        const uuid = randomUUID();
        names.set(uuid, `${name} ${i + 1}${serial === undefined ? '' : ` ${serial}`}`);
        return {
          uuid,
          part: parts.get(name) as string,
          attributes: {
            4: `2026-01-01T0${i}:0${p}:00Z`,
            15: serial === undefined ? '0' : `+${serial.slice(1)}`,
            ...(serial !== undefined && { 14: serial }),
          },
          characteristics: {},
          lastModified: '2026-01-01T00:00:00.000Z',
          created: '2026-01-01T00:00:00.000Z',
        };
      }),
    );
    await insertMeasurements(inspection, measurements);
  });
  afterAll(async () => inspection.stop());

  const merged = async (of: string[], query: string, resource = 'measurements') => {
    const list = of.map((name) => parts.get(name) ?? name).join();
    const { body } = (await client.get(`${resource}?partUuids={${list}}&mergeAttributes={14}&order=4 asc&${query}`).expect(200)) as {
      body: unknown;
    };
    return (body as { uuid: string }[]).map(({ uuid }) => names.get(uuid));
  };
  const ALL = ['lid', 'box', 'label'];
  const IN_ALL = ['lid 1 S1', 'label 1 S1', 'box 2 S1', 'lid 4 S1'];
  const IN_TWO = ['lid 1 S1', 'box 1 S2', 'label 1 S1', 'lid 2 S2', 'box 2 S1', 'lid 3 S3', 'label 3 S3', 'lid 4 S1'];

  it('returns those whose value occurs in all parts when no condition is sent [I146, I147, I151]', async () => {
    expect(await merged(ALL, '')).toEqual(IN_ALL);
    expect(await merged(ALL, 'mergeCondition=measurementsinallparts')).toEqual(IN_ALL);
    expect(await merged(ALL, '', 'values')).toEqual(IN_ALL);
  });

  it('returns those whose value occurs in at least two parts [I147, I151]', async () => {
    expect(await merged(ALL, 'mergeCondition=MeasurementsInAtLeastTwoParts')).toEqual(IN_TWO);
    expect(await merged(['lid'], 'mergeCondition=MeasurementsInAtLeastTwoParts')).toEqual([]);
  });

  it('returns all without matching for None, also those without a value [I147, I151]', async () => {
    expect(await merged(ALL, 'mergeCondition=None')).toHaveLength(12);
  });

  it('limits the number of values by limitResult in the requested order, and returns all their measurements [I152]', async () => {
    expect(await merged(ALL, 'mergeCondition=MeasurementsInAtLeastTwoParts&limitResult=1')).toEqual(IN_ALL);
    expect(await merged(ALL, 'mergeCondition=MeasurementsInAtLeastTwoParts&limitResult=2')).toEqual(
      IN_TWO.filter((name) => !name.endsWith('S3')),
    );
    expect(await merged(ALL, 'limitResult=0')).toEqual([]);
    expect(await merged(ALL, 'limitResult=-1')).toEqual(IN_ALL);
  });

  it('uses only values of the master part [I148, I153, I201]', async () => {
    const two = 'mergeCondition=MeasurementsInAtLeastTwoParts';
    expect(await merged(ALL, `${two}&mergeMasterPart=${parts.get('box')}`)).toEqual(IN_TWO.filter((name) => !name.endsWith('S3')));
    expect(await merged(ALL, `mergeCondition=None&mergeMasterPart={${parts.get('label')?.toUpperCase()}}`)).toEqual([
      ...['lid 1 S1', 'label 1 S1', 'box 2 S1', 'label 2 S5', 'lid 3 S3', 'label 3 S3', 'lid 4 S1'],
    ]);
  });

  it('uses values of a master part that is not in the list of parts [I148, I153]', async () => {
    expect(await merged(['lid'], `mergeCondition=None&mergeMasterPart=${parts.get('label')}`)).toEqual([
      'lid 1 S1',
      'lid 3 S3',
      'lid 4 S1',
    ]);
  });

  it('finds nothing in all parts when one of the parts does not exist [I151]', async () => {
    expect(await merged([...ALL, randomUUID()], '')).toEqual([]);
  });

  it('compares values by the type of the attribute [I146]', async () => {
    const { body } = (await client.get(`measurements?partUuids={${[...parts.values()].join()}}&mergeAttributes=15`).expect(200)) as {
      body: unknown;
    };
    expect(body).toHaveLength(4);
  });

  it.each<[string, RegExp]>([
    ['mergeAttributes=14', /partUuids: Merging needs/],
    ['mergeAttributes=14&partPath=/lid', /partUuids: Merging needs/],
    ['mergeAttributes=14&partUuids=PARTS&partPath=/&deep=true', /partPath and deep=true/],
    ['mergeMasterPart=UUID', /partUuids: Merging needs/],
    ['mergeMasterPart=UUID&partUuids=PARTS', /mergeMasterPart: A master part needs mergeAttributes/],
    ['mergeAttributes=14,15&partUuids=PARTS', /mergeAttributes: must name one attribute/],
    ['mergeAttributes=serial&partUuids=PARTS', /mergeAttributes: must be the key/],
    ['mergeAttributes=70000&partUuids=PARTS', /mergeAttributes: must be the key/],
    ['mergeAttributes=14&mergeCondition=Some&partUuids=PARTS', /mergeCondition: must be one of None, /],
    ['mergeAttributes=14&mergeMasterPart=lid&partUuids=PARTS', /mergeMasterPart: must be a uuid/],
  ])('refuses %s [I146-I148, I150, I193, D5.11]', async (query, message) => {
    const sent = query.replace('UUID', randomUUID()).replace('PARTS', `{${[...parts.values()].join()}}`);
    for (const resource of ['measurements', 'values']) {
      expect(await client.refused(client.get(`${resource}?${sent}`))).toEqual([400, expect.stringMatching(message)]);
    }
  });
});

describeWith(['postgres'], 'merging measurements of three example parts', () => {
  /** Part and key value, newest first. */
  const EXAMPLE = ['Cmm-Y', 'Assembly-O', 'Cmm-O', 'Assembly-J', 'Cmm-J', 'Inline-O', 'Inline-S'];
  let inspection: RunningInspection;
  const client = new PlanClient(() => inspection);
  const parts = new Map<string, string>();
  const names = new Map<string, string>();

  beforeAll(async () => {
    inspection = await startInspection();
    await define(inspection, { key: 14, entity: 'measurement', type: 'AlphaNumeric' });
    const uuids = await client.create('P:/Cmm/', 'P:/Assembly/', 'P:/Inline/');
    ['Cmm', 'Assembly', 'Inline'].forEach((name, i) => parts.set(name, uuids[i] as string));
    await insertMeasurements(
      inspection,
      EXAMPLE.map((name, i) => {
        const [part = '', value = ''] = name.split('-');
        const uuid = randomUUID();
        names.set(uuid, name);
        return {
          uuid,
          part: parts.get(part) as string,
          attributes: { 4: `2026-01-${String(20 - i)}T00:00:00Z`, 14: value },
          characteristics: {},
          lastModified: '2026-01-01T00:00:00.000Z',
          created: '2026-01-01T00:00:00.000Z',
        };
      }),
    );
  });
  afterAll(async () => inspection.stop());

  const merged = async (query: string, resource: string) => {
    const { body } = (await client.get(`${resource}?partUuids={${[...parts.values()].join()}}&mergeAttributes=14${query}`).expect(200)) as {
      body: unknown;
    };
    return (body as { uuid: string }[]).map(({ uuid }) => names.get(uuid));
  };
  const TWO = '&mergeCondition=MeasurementsInAtLeastTwoParts';
  const ALL = '&mergeCondition=MeasurementsInAllParts';

  it.each<[string, string, string]>([
    ['in every part where no condition is named', '', 'Assembly-O Cmm-O Inline-O'],
    ['in every part', ALL, 'Assembly-O Cmm-O Inline-O'],
    ['in two parts or more', TWO, 'Assembly-O Cmm-O Assembly-J Cmm-J Inline-O'],
    ['anywhere', '&mergeCondition=None', EXAMPLE.join(' ')],
    ['in two parts, the first value', `${TWO}&limitResult=1`, 'Assembly-O Cmm-O Inline-O'],
    ['in two parts, the first value of the oldest', `${TWO}&limitResult=1&order=4 asc`, 'Inline-O Cmm-O Assembly-O'],
    ['in two parts, two values', `${TWO}&limitResult=2`, 'Assembly-O Cmm-O Assembly-J Cmm-J Inline-O'],
    ['anywhere, the first value', '&mergeCondition=None&limitResult=1', 'Cmm-Y'],
    ['anywhere, two values', '&mergeCondition=None&limitResult=2', 'Cmm-Y Assembly-O Cmm-O Inline-O'],
    ['in two parts, on the master part Inline', `${TWO}&mergeMasterPart=Inline`, 'Assembly-O Cmm-O Inline-O'],
    ['anywhere, on the master part Inline', '&mergeCondition=None&mergeMasterPart=Inline', 'Assembly-O Cmm-O Inline-O Inline-S'],
    [
      'anywhere, on the master part Assembly, one value',
      '&mergeCondition=None&mergeMasterPart=Assembly&limitResult=1',
      'Assembly-O Cmm-O Inline-O',
    ],
    ['anywhere, one for each part', '&mergeCondition=None&limitResultPerPart=1', 'Cmm-Y Assembly-O Inline-O'],
  ])('returns measurements whose value occurs %s [I146-I148, I151-I153, I201, D5.11]', async (_where, query, expected) => {
    const sent = query.replace(/mergeMasterPart=(\w+)/, (_, name: string) => `mergeMasterPart=${parts.get(name)}`);
    for (const resource of ['measurements', 'values']) expect((await merged(sent, resource)).join(' ')).toBe(expected);
  });
});
