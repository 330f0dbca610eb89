import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { CAUSE_ATTRIBUTE, type Note } from '@sinebar/contracts';
import { describeWith } from '@sinebar/testing';
import request from 'supertest';
import { sql } from '../../plan/plan-client.fixture.ts';
import { startInspection, type RunningInspection } from '../../running-inspection.fixture.ts';
import { ImportClient } from '../imports/import-client.fixture.ts';

const FIELD = '\u0014';
const NEXT = '\u000f';
const value = (number: string, minute: number, events: string) => [number, '0', `05.01.2026/08:${minute}:00`, events].join(FIELD);
const PLAN = ['K0100 2', 'K1001/1 A-100', 'K2001/1 1', 'K2002/1 Bore', 'K2001/2 2', 'K2002/2 Length'];
const CAUSES = ['K4390/1 3', 'K4391/1 Tool worn', 'K4390/2 7', 'K4391/2 Cold'];
const FILE = [
  ...PLAN,
  ...CAUSES,
  value('1', 30, '') + NEXT + value('2', 30, '3,7'),
  value('3', 31, '3') + NEXT + value('4', 31, '0'),
  value('5', 32, '99') + NEXT + value('6', 32, 'Coolant off, door open'),
  'K0009/1 seen by Ada',
  'K0011/1 4',
];

describeWith(['postgres'], 'events of values (K0005)', () => {
  let inspection: RunningInspection;
  const files = new ImportClient(() => inspection);
  const exported = async () =>
    (
      (await request(inspection.server).get('/exchangeServiceRest/values?format=aqdef&order=4 asc&zone=Europe/Berlin').responseType('blob'))
        .body as Buffer
    ).toString('utf8');
  const notes = async (): Promise<string[]> => {
    const found = (await request(inspection.server).get('/analysisServiceRest/notes').expect(200)).body as Note[];
    const values = await sql<{ uuid: string; minute: string }>(
      inspection,
      `SELECT uuid, to_char(measured_at AT TIME ZONE 'UTC', 'MI') AS minute FROM measurement`,
    );
    const items = await sql<{ uuid: string; name: string }>(inspection, 'SELECT uuid, name FROM plan_item');
    return found
      .map(({ measurementUuid, characteristicUuid, cause, text }) => {
        const minute = values.find(({ uuid }) => uuid === measurementUuid)?.minute;
        return `${minute} ${items.find(({ uuid }) => uuid === characteristicUuid)?.name}: ${cause ?? '-'} ${text}`;
      })
      .sort();
  };
  const causes = async () =>
    (
      await sql<{ key: number; text: string }>(
        inspection,
        `SELECT e.key, e.attributes ->> $1 AS text FROM catalog_entry e JOIN catalog c ON c.uuid = e.catalog
         WHERE $2 = ANY(c.valid_attributes) ORDER BY e.key`,
        [String(CAUSE_ATTRIBUTE), CAUSE_ATTRIBUTE],
      )
    ).map(({ key, text }) => `${key} ${text}`);
  const anotherServer = async () => {
    await inspection.stop();
    inspection = await startInspection();
  };
  const NOTES = [
    '30 Length: 3 Tool worn',
    '30 Length: 7 Cold',
    '31 Bore: 3 Tool worn',
    '32 Bore: 99 99',
    '32 Length: 1 Coolant off, door open',
  ];

  beforeEach(async () => {
    inspection = await startInspection();
  });
  afterEach(() => inspection.stop());

  it('become notes with causes, about the characteristic at the measurement, and come out again equal [D11.9, D11.11]', async () => {
    const { warnings } = await files.import(FILE);
    expect(warnings).toEqual([]);
    expect(await notes()).toEqual(NOTES);
    expect(await causes()).toEqual(['1 Coolant off, door open', '3 Tool worn', '7 Cold', '99 99']);
    const text = await exported();
    expect(text.match(/^K439.*$/gm)).toEqual([
      ...['K4390/1 1', 'K4391/1 Coolant off, door open', 'K4390/2 3', 'K4391/2 Tool worn'],
      ...['K4390/3 7', 'K4391/3 Cold', 'K4390/4 99', 'K4391/4 99'],
    ]);
    expect(text).toContain(value('2', 30, '3,7'));
    await anotherServer();
    await files.import(text.split('\r\n'));
    expect(await notes()).toEqual(NOTES);
    expect(await exported()).toBe(text);
  });

  it('are stored once, however often the file comes [D11.11]', async () => {
    await files.import(FILE);
    await files.import(FILE, '', 200);
    expect(await notes()).toEqual(NOTES);
  });

  it('are found by their texts where causes have other numbers, and 99 is no key of this server [D11.11]', async () => {
    await files.import([...PLAN, 'K4390/1 99', 'K4391/1 Cold', 'K4390/2 3', 'K4391/2 Other', value('1', 10, '99,3')]);
    await files.import(FILE);
    expect(await causes()).toEqual(['1 Tool worn', '2 99', '3 Other', '4 Coolant off, door open', '99 Cold']);
    expect(await notes()).toEqual([
      '10 Bore: 3 Other',
      '10 Bore: 99 Cold',
      '30 Length: 1 Tool worn',
      '30 Length: 99 Cold',
      '31 Bore: 1 Tool worn',
      '32 Bore: 2 99',
      '32 Length: 4 Coolant off, door open',
    ]);
  });

  it('become notes without a cause where the server may get no catalog of causes, with a warning [D11.11]', async () => {
    const { warnings } = await files.import(FILE, 'ignoreUndefined=true');
    expect(warnings).toContainEqual(
      expect.objectContaining({ key: 'K0005', message: expect.stringContaining('note without a cause') as unknown }),
    );
    expect(await notes()).toEqual([
      '30 Length: - K0005 3',
      '30 Length: - K0005 7',
      '31 Bore: - K0005 3',
      '32 Bore: - K0005 99',
      '32 Length: - Coolant off, door open',
    ]);
  });
});
