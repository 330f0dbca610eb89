import {
  CHARACTERISTIC_KEYS,
  STANDARD_ATTRIBUTES,
  type AnyAttributeDefinition,
  type AttributeOwner,
  type Catalog,
  type ConfigurationAnswer,
} from '@sinebar/client';
import { Random } from './random.ts';

const { nominal, lowerTolerance, upperTolerance, unit, lowerWarning, upperWarning, lowerLimitKind } = CHARACTERISTIC_KEYS;

/** Keys of the standard attributes that the demo has. */
export const KEY = {
  partNumber: 1001,
  partDescription: 1002,
  drawing: 1041,
  nominal,
  lowerTolerance,
  upperTolerance,
  unit,
  lowerWarning,
  upperWarning,
  lowerLimitKind,
  time: 4,
  operator: 8,
  machine: 10,
  serialNumber: 14,
  measuredValue: 1,
  machineNumber: 4062,
  machineName: 4063,
  operatorNumber: 4092,
  operatorName: 4093,
} as const;

const random = new Random('catalogs');
const catalogOf = (name: string, [number, title]: readonly [number, number], entries: readonly (readonly [string, string])[]): Catalog => ({
  uuid: random.uuid(),
  name,
  validAttributes: [number, title],
  catalogEntries: entries.map(([first, second], i) => ({ key: i + 1, attributes: { [number]: first, [title]: second } })),
});

export const MACHINES = catalogOf(
  'Demo machines',
  [KEY.machineNumber, KEY.machineName],
  [
    ['M-101', 'Bridge machine, measuring room'],
    ['M-102', 'Bridge machine, line 2'],
    ['M-201', 'Inline station, door line'],
    ['M-301', 'Articulated arm'],
  ],
);
export const OPERATORS = catalogOf(
  'Demo operators',
  [KEY.operatorNumber, KEY.operatorName],
  [
    ['0417', 'A. Keller'],
    ['0522', 'M. Okafor'],
    ['0613', 'S. Lindqvist'],
    ['0708', 'J. Moreau'],
    ['0835', 'T. Nakamura'],
  ],
);

const CATALOG_OF: ReadonlyMap<number, Catalog> = new Map([
  [KEY.machine, MACHINES],
  [KEY.operator, OPERATORS],
]);

/** Definitions in the order of creation: catalogs come between the first and the others. */
export const DEFINITIONS: Readonly<Record<AttributeOwner, readonly AnyAttributeDefinition[]>> = {
  catalog: definitionsOf('catalog'),
  part: definitionsOf('part'),
  characteristic: definitionsOf('characteristic'),
  measurement: definitionsOf('measurement'),
  value: definitionsOf('value'),
};

function definitionsOf(owner: AttributeOwner): AnyAttributeDefinition[] {
  const wanted = new Set<number>(Object.values(KEY));
  return STANDARD_ATTRIBUTES.flatMap(({ key, entity, names, type, length }): AnyAttributeDefinition[] => {
    if (entity !== owner || !wanted.has(key)) return [];
    const named = { key, description: names.en };
    if (type === 'Catalog') return [{ definitionType: 'CatalogAttributeDefinition', ...named, catalog: CATALOG_OF.get(key)?.uuid ?? '' }];
    return [{ definitionType: 'AttributeDefinition', ...named, type, ...(length !== undefined && { length }) }];
  });
}

/** Compares {@link DEFINITIONS} with a server: missing ones, and conflicts as sentences. */
export function compareDefinitions(configuration: ConfigurationAnswer): { missing: typeof DEFINITIONS; conflicts: string[] } {
  const missing = { catalog: [], part: [], characteristic: [], measurement: [], value: [] } as Record<
    AttributeOwner,
    AnyAttributeDefinition[]
  >;
  const conflicts: string[] = [];
  const owners = Object.keys(DEFINITIONS) as AttributeOwner[];
  const known = new Map(
    owners.flatMap((owner) => configuration[`${owner}Attributes`].map((definition) => [definition.key, { owner, definition }] as const)),
  );
  for (const owner of owners) {
    for (const wanted of DEFINITIONS[owner]) {
      const found = known.get(wanted.key);
      if (!found) missing[owner].push(wanted);
      else if (found.owner !== owner || !takesTheSame(found.definition, wanted))
        conflicts.push(`${wanted.key} is ${described(found.owner, found.definition)} here, and ${described(owner, wanted)} in the demo`);
    }
  }
  return { missing, conflicts };
}

function described(owner: AttributeOwner, definition: AnyAttributeDefinition): string {
  const type =
    'catalog' in definition ? `entry of catalog ${definition.catalog}` : [definition.type, definition.length ?? []].flat().join(' ');
  return `"${definition.description}" of ${owner} (${type})`;
}

function takesTheSame(found: AnyAttributeDefinition, wanted: AnyAttributeDefinition): boolean {
  if (found.definitionType === 'CatalogAttributeDefinition' || wanted.definitionType === 'CatalogAttributeDefinition')
    return 'catalog' in found && 'catalog' in wanted && found.catalog === wanted.catalog;
  return found.type === wanted.type && (found.length ?? 0) >= (wanted.length ?? 0);
}
