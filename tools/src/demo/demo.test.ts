import { describe, expect, it } from '@jest/globals';
import type { ConfigurationAnswer } from '@sinebar/client';
import sharp from 'sharp';
import { compareDefinitions, DEFINITIONS, KEY, MACHINES } from './attributes.js';
import { attributesOf, CHARACTERISTICS, PARTS, type DemoPart } from './door.js';
import { demoFiles } from './files.js';
import { measurementsOf } from './measurements.js';

const parts = PARTS.map((part, index) => ({ part, measurements: measurementsOf(part, index) }));
const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

/** Deviations from the nominal value in parts of the tolerance, oldest first. */
function deviations(index: number, c: number): number[] {
  const { part, measurements } = parts[index]!;
  const { uuid, nominal, tolerance } = part.characteristics[c]!;
  return measurements.flatMap(({ characteristics }) => {
    const value = characteristics[uuid]?.[KEY.measuredValue];
    return value === undefined ? [] : [(Number(value) - nominal) / tolerance];
  });
}
const mean = (numbers: number[]) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
const all = parts.flatMap(({ part }, index) => part.characteristics.map((_, c) => deviations(index, c)));

describe('demo door', () => {
  it('has 200 characteristics on five parts, and 5,000 measurements at increasing times', () => {
    expect(CHARACTERISTICS).toHaveLength(200);
    expect(new Set(CHARACTERISTICS.map(({ path }) => path.toLowerCase())).size).toBe(200);
    expect(parts.map(({ measurements }) => measurements.length)).toEqual([1000, 1000, 1000, 1000, 1000]);
    const uuids = [...PARTS, ...CHARACTERISTICS, ...parts.flatMap(({ measurements }) => measurements)].map(({ uuid }) => uuid);
    expect(new Set(uuids).size).toBe(5205);
    expect(uuids.filter((uuid) => !UUID.test(uuid))).toEqual([]);
    for (const { measurements } of parts) {
      const times = measurements.map(({ attributes }) => attributes?.[KEY.time] as string);
      expect(times).toEqual([...times].sort());
      expect(times.filter((time) => [0, 6].includes(new Date(time).getUTCDay()))).toEqual([]);
    }
  });

  it('is the same in every run', () => {
    expect(JSON.stringify(measurementsOf(PARTS[1] as DemoPart, 1))).toBe(JSON.stringify(parts[1]!.measurements));
    expect([PARTS[0]?.uuid, CHARACTERISTICS.at(-1)?.uuid]).toEqual([
      'a22c515a-c374-4bd1-ad4f-fa076e1a734a',
      '2461f52b-19c5-4ba6-8106-48753a3d73b8',
    ]);
  });

  it('has limits around each nominal value, the warning limit before the tolerance', () => {
    for (const characteristic of CHARACTERISTICS) {
      const attributes = attributesOf(characteristic);
      const limits = [KEY.lowerTolerance, KEY.lowerWarning, KEY.nominal, KEY.upperWarning, KEY.upperTolerance].map((key) =>
        Number(attributes[key]),
      );
      expect(limits).toEqual([...limits].sort((a, b) => a - b));
      expect(new Set(limits).size).toBe(5);
    }
  });

  it('is mostly good, with drift, outliers and missing values', () => {
    const values = all.flat();
    expect(values.length).toBeLessThan(200_000);
    expect(values.length).toBeGreaterThan(199_000);
    const red = values.filter((deviation) => Math.abs(deviation) > 1).length;
    expect(red / values.length).toBeGreaterThan(0.001);
    expect(red / values.length).toBeLessThan(0.02);
    expect(values.filter((deviation) => Math.abs(deviation) > 1.5).length).toBeGreaterThan(100);
    const drifting = all.filter((series) => Math.abs(mean(series.slice(-200)) - mean(series.slice(0, 200))) > 0.25);
    expect(drifting.length).toBeGreaterThan(5);
    expect(drifting.length).toBeLessThan(60);
  });

  it('has measurements of two machines and several operators for each part', () => {
    for (const { measurements } of parts) {
      const distinct = (key: number) => new Set(measurements.map(({ attributes }) => attributes?.[key])).size;
      expect([distinct(KEY.machine), distinct(KEY.operator), distinct(KEY.serialNumber)]).toEqual([2, 5, 1000]);
    }
  });
});

describe('demo files', () => {
  it('are a drawing for each part and an archive, the same in every run', async () => {
    const [first, second] = [await demoFiles(), await demoFiles()];
    expect(second).toEqual(first);
    expect(first.map(({ file }) => file.mimeType)).toEqual([...Array<string>(5).fill('image/png'), 'application/zip']);
    const { width, height, format } = await sharp(first[0]!.file.content as Uint8Array).metadata();
    expect({ width, height, format }).toEqual({ width: 1200, height: 900, format: 'png' });
  });
});

describe('existing attributes of a server', () => {
  const EMPTY = {
    partAttributes: [],
    characteristicAttributes: [],
    measurementAttributes: [],
    valueAttributes: [],
    catalogAttributes: [],
    versioningType: 'Off',
  } satisfies ConfigurationAnswer;

  it('are completed, and used where they fit', () => {
    expect(compareDefinitions(EMPTY)).toEqual({ missing: DEFINITIONS, conflicts: [] });
    const wider = {
      definitionType: 'AttributeDefinition',
      key: KEY.partNumber,
      description: 'Nr.',
      type: 'AlphaNumeric',
      length: 200,
    } as const;
    const { missing, conflicts } = compareDefinitions({ ...EMPTY, partAttributes: [wider] });
    expect(conflicts).toEqual([]);
    expect(missing.part.map(({ key }) => key)).toEqual([KEY.partDescription, KEY.drawing]);
  });

  it('are never changed, and conflicts are named', () => {
    const nominal = { definitionType: 'AttributeDefinition', key: KEY.nominal, description: 'Weight', type: 'Float' } as const;
    const short = { definitionType: 'AttributeDefinition', key: KEY.unit, description: 'Unit', type: 'AlphaNumeric', length: 2 } as const;
    const machine = { definitionType: 'AttributeDefinition', key: KEY.machine, description: 'Machine', type: 'Integer' } as const;
    const found = compareDefinitions({
      ...EMPTY,
      partAttributes: [nominal],
      characteristicAttributes: [short],
      measurementAttributes: [machine],
    });
    expect(found.conflicts).toEqual([
      '2101 is "Weight" of part (Float) here, and "Nominal value" of characteristic (Float) in the demo',
      '2142 is "Unit" of characteristic (AlphaNumeric 2) here, and "Unit" of characteristic (AlphaNumeric 20) in the demo',
      `10 is "Machine" of measurement (Integer) here, and "Machine" of measurement (entry of catalog ${MACHINES.uuid}) in the demo`,
    ]);
  });
});
