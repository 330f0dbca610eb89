import { describe, expect, it } from '@jest/globals';
import type { Characteristic, MeasurementWithValues } from '@sinebar/client';
import { attributeChanges, measuredRows, sortRows, statusChanges } from './measured-rows';

const characteristic = (uuid: string, name: string, attributes: Record<string, string>): Characteristic => ({
  uuid,
  path: `PPC:/Car door/Frame/${name}/`,
  attributes,
  version: 0,
  timestamp: '2026-01-01T00:00:00.000Z',
});
const measurement = (values: Record<string, string>, attributes: Record<string, string> = {}): MeasurementWithValues => ({
  uuid: 'm',
  partUuid: 'p',
  attributes,
  lastModified: '2026-01-01T00:00:00.000Z',
  created: '2026-01-01T00:00:00.000Z',
  characteristics: Object.fromEntries(Object.entries(values).map(([uuid, value]) => [uuid, { '1': value }])),
});
const LIMITS = { 2101: '20', 2110: '19.95', 2111: '20.05', 8014: '19.96', 8015: '20.04', 2142: 'mm' };
const PLAN = ['a', 'b', 'c', 'd'].map((uuid) => characteristic(uuid, `Gap ${uuid}`, LIMITS));
const NOW = measurement({ a: '20.000', b: '20.053', c: '19.955' });
const EARLIER = measurement({ a: '20.045', b: '20.010', c: '20.000', d: '20.100' });

describe('values of a measurement', () => {
  const rows = measuredRows(PLAN, NOW, EARLIER);
  const rowOf = (uuid: string) => rows.find((row) => row.uuid === uuid);

  it('judges each value', () => {
    expect(rows.map(({ status }) => status)).toEqual(['inLimits', 'outOfTolerance', 'inWarning', 'noData']);
  });

  it('does not judge a value without limits, and sorts it before those without a value', () => {
    const plan = [...PLAN, characteristic('e', 'Gap e', { 2101: '20' })];
    const values = measuredRows(plan, measurement({ a: '20.000', e: '30.000' }), undefined);
    expect(values.at(-1)?.status).toBe('noLimits');
    const compare = (one: string, other: string) => one.localeCompare(other);
    expect(sortRows(values, 'worst', compare).map(({ uuid }) => uuid)).toEqual(['a', 'e', 'b', 'c', 'd']);
  });

  it('names the place below the part', () => {
    expect(rowOf('a')).toMatchObject({ name: 'Gap a', group: 'Frame', unit: 'mm' });
  });

  it('shows all figures with the digits that were measured', () => {
    expect(rowOf('b')?.decimals).toBe(3);
  });

  it('counts the deviation from nominal', () => {
    expect(rowOf('b')?.deviation).toBeCloseTo(0.053, 10);
    expect(rowOf('b')?.relative).toBeCloseTo(1.06, 10);
  });

  it('compares with the measurement before', () => {
    expect(rowOf('b')?.before).toMatchObject({ text: '20.010', status: 'inLimits' });
    expect(rowOf('b')?.change).toBeCloseTo(0.043, 10);
    expect(rowOf('b')?.relativeChange).toBeCloseTo(0.86, 10);
  });

  it('has no change where one of the two has no value', () => {
    expect(rowOf('d')).not.toHaveProperty('change');
  });

  it.each([
    ['worst', ['b', 'c', 'a', 'd']],
    ['plan', ['a', 'b', 'c', 'd']],
    ['name', ['a', 'b', 'c', 'd']],
    ['change', ['a', 'c', 'b', 'd']],
  ] as const)('sorts by %s', (order, uuids) => {
    expect(sortRows(rows, order, (one, other) => one.localeCompare(other)).map(({ uuid }) => uuid)).toEqual(uuids);
  });

  it('shows what became worse and better', () => {
    expect(statusChanges(rows)).toEqual({ newlyOut: ['Gap b'], newlyInWarning: 1, backInLimits: 1 });
  });

  it('ignores values that are no numbers', () => {
    const [row] = measuredRows(PLAN, measurement({ a: '' }), undefined);
    expect(row?.status).toBe('noData');
  });
});

describe('attributes of two measurements', () => {
  it('lists those that differ, also those that only one has', () => {
    expect(attributeChanges({ 4: '2', 8: '17', 10: '2' }, { 4: '1', 10: '3', 53: 'x' }, [4])).toEqual([
      { key: 8, after: '17' },
      { key: 10, before: '3', after: '2' },
      { key: 53, before: 'x' },
    ]);
  });
});
