import { describe, expect, it } from '@jest/globals';
import type { ConfigurationAnswer } from '@sinebar/client';
import sharp from 'sharp';
import { compareCatalogs, compareDefinitions, DEFINITIONS, KEY, MACHINES } from './attributes.ts';
import type { DemoPart } from './demo-part.ts';
import { demoFiles, FILE_COUNT } from './files.ts';
import { measurementsOf } from './measurements.ts';
import { attributesOf, CHARACTERISTICS, DOOR_PATH, PARTS, PRODUCTS } from './plan.ts';

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

/** Deviations of the characteristic with this name, oldest first. */
function deviationsOf(name: string): number[] {
  const index = PARTS.findIndex(({ characteristics }) => characteristics.some((each) => each.name === name));
  return deviations(
    index,
    PARTS[index]!.characteristics.findIndex((each) => each.name === name),
  );
}

describe('plan of the demo', () => {
  it('has the door with four parts and three smaller products', () => {
    expect(PRODUCTS.map(({ product }) => product)).toEqual([DOOR_PATH, '/Pump housing', '/Drive shaft', '/Seal ring']);
    expect(PARTS.filter(({ product }) => product === DOOR_PATH)).toHaveLength(5);
  });

  it('has characteristics with paths of their own', () => {
    expect(CHARACTERISTICS).toHaveLength(232);
    expect(new Set(CHARACTERISTICS.map(({ path }) => path.toLowerCase())).size).toBe(232);
  });

  it('gives every object a uuid of its own', () => {
    const uuids = [...PARTS, ...CHARACTERISTICS, ...parts.flatMap(({ measurements }) => measurements)].map(({ uuid }) => uuid);
    expect(uuids.filter((uuid) => !UUID.test(uuid))).toEqual([]);
    expect(new Set(uuids).size).toBe(8 + 232 + 5750);
  });

  it('is the same in every run', () => {
    expect(JSON.stringify(measurementsOf(PARTS[1] as DemoPart, 1))).toBe(JSON.stringify(parts[1]!.measurements));
    expect(PARTS[0]?.uuid).toBe('a22c515a-c374-4bd1-ad4f-fa076e1a734a');
  });

  it('has different limits in increasing order', () => {
    for (const characteristic of CHARACTERISTICS) {
      const attributes = attributesOf(characteristic);
      const keys = characteristic.oneSided
        ? [KEY.lowerTolerance, KEY.upperWarning, KEY.upperTolerance]
        : [KEY.lowerTolerance, KEY.lowerWarning, KEY.nominal, KEY.upperWarning, KEY.upperTolerance];
      const limits = keys.map((key) => Number(attributes[key]));
      expect(limits).toEqual([...new Set(limits)].sort((a, b) => a - b));
    }
  });

  it('marks the lower limit of a one-sided tolerance as a natural boundary', () => {
    const roundness = CHARACTERISTICS.find(({ name }) => name === 'Latch bore roundness')!;
    expect(attributesOf(roundness)).toMatchObject({ [KEY.lowerTolerance]: '0', [KEY.lowerLimitKind]: '2' });
    expect(attributesOf(roundness)[KEY.lowerWarning]).toBeUndefined();
  });
});

describe('measurements of the demo', () => {
  it('are 1,000 of the door and each of its parts, and 250 of each smaller product', () => {
    expect(parts.map(({ measurements }) => measurements.length)).toEqual([1000, 1000, 1000, 1000, 1000, 250, 250, 250]);
  });

  it('have increasing times on working days', () => {
    for (const { measurements } of parts) {
      const times = measurements.map(({ attributes }) => attributes?.[KEY.time] as string);
      expect(times).toEqual([...times].sort());
      expect(times.filter((time) => [0, 6].includes(new Date(time).getUTCDay()))).toEqual([]);
    }
  });

  it('are mostly good, with outliers and missing values', () => {
    const values = all.flat();
    expect(values.length).toBeLessThan(211_750);
    expect(values.length).toBeGreaterThan(210_750);
    const red = values.filter((deviation) => Math.abs(deviation) > 1).length;
    expect(red / values.length).toBeGreaterThan(0.001);
    expect(red / values.length).toBeLessThan(0.02);
    expect(values.filter((deviation) => Math.abs(deviation) > 1.5).length).toBeGreaterThan(100);
  });

  it('drift in some characteristics', () => {
    const drifting = all.filter((series) => Math.abs(mean(series.slice(-200)) - mean(series.slice(0, 200))) > 0.25);
    expect(drifting.length).toBeGreaterThan(5);
    expect(drifting.length).toBeLessThan(60);
  });

  it('have one characteristic that drifts out of its tolerance', () => {
    const twist = deviationsOf('Frame twist');
    expect(twist.slice(0, 620).filter((deviation) => Math.abs(deviation) > 0.75)).toEqual([]);
    expect(mean(twist.slice(-50))).toBeGreaterThan(1);
  });

  it('have one characteristic that shifts', () => {
    const diameter = deviationsOf('Hinge pin diameter');
    expect(mean(diameter.slice(540)) - mean(diameter.slice(0, 540))).toBeGreaterThan(0.6);
  });

  it('have one characteristic whose values are skewed', () => {
    const gap = deviationsOf('Weld flange gap');
    const center = mean(gap);
    const moment = (power: number) => mean(gap.map((value) => (value - center) ** power));
    expect(moment(3) / moment(2) ** 1.5).toBeGreaterThan(1);
  });

  it('have one characteristic that is never below its natural boundary', () => {
    expect(Math.min(...deviationsOf('Latch bore roundness'))).toBeGreaterThanOrEqual(0);
  });

  it('have one characteristic with eight outliers', () => {
    expect(deviationsOf('Handle recess depth').filter((deviation) => Math.abs(deviation) > 1)).toHaveLength(8);
  });

  it('are of two machines and several operators for each part', () => {
    for (const { measurements } of parts) {
      const distinct = (key: number) => new Set(measurements.map(({ attributes }) => attributes?.[key])).size;
      expect(distinct(KEY.machine)).toBe(2);
      expect(distinct(KEY.operator)).toBe(5);
      expect(distinct(KEY.serialNumber)).toBe(measurements.length);
    }
  });
});

describe('demo files', () => {
  it('are a drawing for each part, an archive and a picture, the same in every run', async () => {
    const [first, second] = [await demoFiles(), await demoFiles()];
    expect(second).toEqual(first);
    expect(first.map(({ file }) => file.mimeType)).toEqual([...Array<string>(8).fill('image/png'), 'application/zip', 'image/jpeg']);
    expect(first).toHaveLength(FILE_COUNT);
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

  it('takes the catalogs that the attributes of the server refer to, and adds its entries to them', () => {
    const own = { uuid: 'own', name: 'Machines', validAttributes: [4062, 4063], catalogEntries: MACHINES.catalogEntries.slice(0, 1) };
    const machine = { definitionType: 'CatalogAttributeDefinition', key: KEY.machine, description: 'Machine', catalog: 'own' } as const;
    const configuration = { ...EMPTY, measurementAttributes: [machine] };
    const found = compareCatalogs(configuration, [own]);
    expect(found.incomplete).toEqual([{ uuid: 'own', entries: MACHINES.catalogEntries.slice(1) }]);
    expect(found.missing.map(({ name }) => name)).toEqual(['Demo operators']);
    const other = { ...own, catalogEntries: [{ key: 1, attributes: { 4062: 'A' } }] };
    expect(compareCatalogs(configuration, [other]).conflicts).toEqual(['the catalog "Machines" has other entries 1 than the demo']);
  });
});
