import { describe, expect, it } from '@jest/globals';
import { KEY } from '../attributes.ts';
import { FACTORY_KEY, RESULT_IN_WORDS } from './attributes.ts';
import { FACTORY } from './factory.ts';
import { factoryFiles } from './files.ts';
import { measurementBatches } from './measurements.ts';
import { attributesOf, FACTORY_PARTS, HOLDERS, LONG_PART, WIDE_PART } from './plan.ts';

const usual = FACTORY_PARTS[2]!;
const measured = [...measurementBatches(usual, 1000)].flat();
const characteristics = FACTORY_PARTS.flatMap((part) => part.characteristics);
const named = (words: string) => usual.characteristics.find(({ kind }) => kind.name.includes(words))!;
const valuesOf = (words: string) => measured.map(({ characteristics: values }) => values[named(words).uuid]!);
const numbersOf = (words: string) => valuesOf(words).map((value) => Number(value[KEY.measuredValue]));

describe('plan of the factory', () => {
  it('has 300 parts on three lines, on four levels', () => {
    expect(FACTORY_PARTS).toHaveLength(300);
    expect(HOLDERS.filter(({ path }) => path.startsWith('PP:'))).toHaveLength(3);
    expect(FACTORY_PARTS.every(({ path }) => path.startsWith('PPPP:'))).toBe(true);
  });
  it('has names of 20 to 60 letters', () => {
    const names = [...HOLDERS, ...FACTORY_PARTS, ...characteristics].map(({ path }) =>
      path
        .split(/(?<!\\)\//)
        .at(-2)!
        .replaceAll('\\', ''),
    );
    expect(names.filter(({ length }) => length < 20 || length > 60)).toEqual([]);
  });
  it('has paths and uuids of their own', () => {
    const items = [...HOLDERS, ...FACTORY_PARTS, ...characteristics];
    expect(new Set(items.map(({ path }) => path.toLowerCase())).size).toBe(items.length);
    expect(new Set(items.map(({ uuid }) => uuid)).size).toBe(items.length);
  });
  it('has a part with 2,000 characteristics, and a characteristic with 100,000 values', () => {
    expect(WIDE_PART.characteristics).toHaveLength(2000);
    expect(LONG_PART).toMatchObject({ measurementCount: 100_000, characteristics: { length: 1 } });
  });
  it('has every kind of limits', () => {
    expect(attributesOf(named('Scharnieraufnahme'))).toMatchObject({ [KEY.lowerTolerance]: '125.388', [KEY.upperTolerance]: '125.434' });
    expect(attributesOf(named('ohne Vorgabe'))).toEqual({ [KEY.unit]: '°C' });
    expect(Object.keys(attributesOf(named('Gratüberstand')))).not.toContain(String(KEY.lowerTolerance));
    expect(attributesOf(named('Ebenheit'))).toMatchObject({ [KEY.lowerTolerance]: '0', [KEY.lowerLimitKind]: '2' });
    expect(attributesOf(named('Lunker'))).toMatchObject({ [FACTORY_KEY.characteristicType]: '5' });
  });
});

describe('measurements of the factory', () => {
  it('are the same in every run, and as many as the plan says', () => {
    expect([...measurementBatches(usual, 1000)].flat()).toEqual(measured);
    expect(measured).toHaveLength(usual.measurementCount);
  });
  it('have uuids of their own', () => {
    const uuids = FACTORY_PARTS.filter((part) => part !== LONG_PART).flatMap((part) =>
      [...measurementBatches({ ...part, characteristics: [] }, 1000)].flat().map(({ uuid }) => uuid),
    );
    expect(new Set(uuids).size).toBe(FACTORY.content.measurements - LONG_PART.measurementCount);
  });
  it('come from three machines, two shifts and four cavities', () => {
    const distinct = (key: number) => new Set(measured.map(({ attributes }) => attributes?.[key])).size;
    expect(distinct(KEY.machine)).toBe(3);
    expect(distinct(KEY.operator)).toBe(4);
    expect(distinct(FACTORY_KEY.cavity)).toBe(4);
  });
  it('have values of full precision, words, counts with their samples, and equal values', () => {
    expect(valuesOf('Scharnieraufnahme')[0]![KEY.measuredValue]).toMatch(/^125\.\d{8}$/);
    expect(valuesOf('Sichtprüfung')[0]).toEqual({ [RESULT_IN_WORDS.key]: expect.any(String) as unknown });
    expect(valuesOf('Lunker')[0]).toEqual({
      [KEY.measuredValue]: expect.stringMatching(/^\d$/) as unknown,
      [FACTORY_KEY.sampleSize]: '50',
    });
    expect(new Set(numbersOf('klemmt'))).toEqual(new Set([1.512]));
  });
  it('drift, and have outliers', () => {
    const drift = numbersOf('driftet');
    expect(drift.at(-1)! - drift[0]!).toBeGreaterThan(0.08);
    expect(numbersOf('Ausreißern').some((value) => Math.abs(value - 90) > 2)).toBe(true);
  });
  it('differ by machine and cavity', () => {
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const ofMachine = (machine: number) =>
      measured
        .filter(({ attributes }) => attributes?.[KEY.machine] === machine)
        .map(({ characteristics: values }) => values[named('Nest und').uuid]!);
    const means = [1, 3].map((machine) => mean(ofMachine(machine).map((value) => Number(value[KEY.measuredValue]))));
    expect(means[1]! - means[0]!).toBeGreaterThan(0.1);
  });
});

describe('files of the factory', () => {
  it('are of all kinds, the same in every run', async () => {
    const files = await factoryFiles();
    expect(await factoryFiles()).toEqual(files);
    expect(new Set(files.map(({ fileName }) => fileName.split('.').at(-1))).size).toBe(files.length - 1);
    expect(files).toHaveLength(FACTORY.content.files - 1);
  });
});
