import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWith } from '@sinebar/testing';
import { alarmsOf, judged, noticesOf, recordNotices } from '../../analysis/judging/alarm-client.fixture.ts';
import { sql } from '../../plan/plan-client.fixture.ts';
import { startInspection, type RunningInspection } from '../../running-inspection.fixture.ts';
import { ImportClient } from './import-client.fixture.ts';

const FIELD = '\u0014';
const LIMITS = ['K2101/1 20', 'K2110/1 19.9', 'K2111/1 20.1'];

describeWith(['postgres'], 'alarms of imported files', () => {
  let inspection: RunningInspection;
  const files = new ImportClient(() => inspection);
  beforeAll(async () => {
    inspection = await startInspection();
    await recordNotices(inspection);
  });
  afterAll(() => inspection.stop());

  /** A file of values that were measured a minute after another, the last one a minute ago. */
  const fileOf = (part: string, values: readonly number[]) => {
    /** Time in the zone of the client, as `2026-01-05T08:30:00`. */
    const time = (i: number) => {
      const at = new Date(Date.now() + (i - values.length) * 60_000);
      return at.toLocaleString('sv-SE', { timeZone: 'Europe/Berlin' }).replace(' ', 'T');
    };
    return [
      'K0100 1',
      `K1001/1 ${part}`,
      'K2001/1 1',
      'K2002/1 Bore',
      ...LIMITS,
      ...values.map((value, i) => [value, '0', time(i)].join(FIELD)),
    ];
  };
  const partOf = async (name: string) =>
    (await sql<{ uuid: string }>(inspection, `SELECT uuid FROM plan_item WHERE kind = 'part' AND name = '${name}'`))[0]?.uuid ?? '';
  const stateOf = async (part: string) => ({
    alarms: (await alarmsOf(inspection, part)).map(({ id, kind, state, points, revision }) => ({ id, kind, state, points, revision })),
    notices: await noticesOf(inspection, part),
  });

  it('are raised and told once, however often the file comes [D12.8]', async () => {
    const file = fileOf('Shaft', [20, 20.2, 20.3, 20]);
    await files.import(file);
    await judged(inspection);
    const part = await partOf('Shaft');
    const first = await stateOf(part);
    expect(first).toEqual({
      alarms: [
        { id: expect.any(String) as unknown, kind: 'tolerance', state: 'raised', points: 2, revision: expect.any(Number) as unknown },
      ],
      notices: ['raised'],
    });
    await files.import(file, '', 200);
    await judged(inspection);
    expect(await stateOf(part)).toEqual(first);
  });
});
