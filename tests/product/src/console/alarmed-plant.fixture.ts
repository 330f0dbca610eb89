import { randomUUID } from 'node:crypto';
import { ACTION_ATTRIBUTE, CAUSE_ATTRIBUTE, STANDARD_ACTIONS, STANDARD_CAUSES, type SinebarClient } from '@sinebar/client';

/** A characteristic with a tolerance from 19.95 to 20.05, and the catalogs of causes and actions. */
export interface AlarmedPlant {
  partUuid: string;
  characteristicUuid: string;
  /** Stores a value that was measured now. @returns the uuid of its measurement */
  measure: (value: string) => Promise<string>;
  /** Adds a part with as many characteristics as are given, of which one measurement has values that are all too large. */
  addWideFailure: (characteristics: number) => Promise<void>;
}

const TIME = 4;
const LIMITS = { 2101: '20', 2110: '19.95', 2111: '20.05', 2142: 'mm' };
const PART = 'Hydraulikaggregat Baureihe 7 mit langem Namen';

/** Makes a plan on an empty server whose values raise alarms. */
export async function makeAlarmedPlant(client: SinebarClient): Promise<AlarmedPlant> {
  const [partUuid, characteristicUuid] = [randomUUID() as string, randomUUID() as string];
  const float = (key: number, description: string) => ({
    definitionType: 'AttributeDefinition' as const,
    key,
    description,
    type: 'Float' as const,
  });
  await client.configuration.create('measurement', [
    { definitionType: 'AttributeDefinition', key: TIME, description: 'Time', type: 'DateTime' },
  ]);
  await client.configuration.create('characteristic', [
    float(2101, 'Nominal'),
    float(2110, 'Lower limit'),
    float(2111, 'Upper limit'),
    { definitionType: 'AttributeDefinition', key: 2142, description: 'Unit', type: 'AlphaNumeric', length: 20 },
  ]);
  await client.configuration.create(
    'catalog',
    [CAUSE_ATTRIBUTE, ACTION_ATTRIBUTE].map((key) => ({
      definitionType: 'AttributeDefinition' as const,
      key,
      description: `Text ${key}`,
      type: 'AlphaNumeric' as const,
      length: 80,
    })),
  );
  await client.catalogs.create(
    [STANDARD_CAUSES, STANDARD_ACTIONS].map(({ attribute, names, entries }) => ({
      uuid: randomUUID(),
      name: names.en,
      validAttributes: [attribute],
      catalogEntries: entries.map(({ en }, i) => ({ key: i + 1, attributes: { [attribute]: en } })),
    })),
  );
  await client.parts.create([{ uuid: partUuid, path: `P:/${PART}/` }]);
  await client.characteristics.create([{ uuid: characteristicUuid, path: `PC:/${PART}/Spalt links/`, attributes: LIMITS }]);
  return {
    partUuid,
    characteristicUuid,
    measure: async (value) => {
      const uuid = randomUUID();
      await client.measurements.createWithValues([
        {
          uuid,
          partUuid,
          attributes: { [TIME]: new Date().toISOString() },
          characteristics: { [characteristicUuid]: { 1: value } },
        },
      ]);
      return uuid;
    },
    addWideFailure: async (count) => {
      const [wide, uuids] = [randomUUID(), Array.from({ length: count }, () => randomUUID() as string)];
      await client.parts.create([{ uuid: wide, path: `P:/Door/` }]);
      await client.characteristics.create(uuids.map((uuid, i) => ({ uuid, path: `PC:/Door/Point ${i}/`, attributes: LIMITS })));
      const characteristics = Object.fromEntries(uuids.map((uuid) => [uuid, { 1: '20.1' }]));
      await client.measurements.createWithValues([
        { uuid: randomUUID(), partUuid: wide, attributes: { [TIME]: new Date().toISOString() }, characteristics },
      ]);
    },
  };
}
