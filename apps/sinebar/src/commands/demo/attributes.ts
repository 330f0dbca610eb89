import {
  CHARACTERISTIC_KEYS,
  STANDARD_ATTRIBUTES,
  type AnyAttributeDefinition,
  type AttributeOwner,
  type Catalog,
  type ConfigurationAnswer,
  type SinebarClient,
} from '@sinebar/client';
import { Random } from './random.ts';
import { DemoRefusal } from './world.ts';

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
const OPERATORS = catalogOf(
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

type Definitions = Readonly<Record<AttributeOwner, readonly AnyAttributeDefinition[]>>;

/** Definitions in the order of creation: catalogs come between the first and the others. */
export const DEFINITIONS: Definitions = definitionsOfKeys(Object.values(KEY));

/** Definitions of the standard attributes with these keys. */
export function definitionsOfKeys(keys: readonly number[]): Definitions {
  const wanted = new Set(keys);
  const of = (owner: AttributeOwner) => definitionsOf(owner, wanted);
  return {
    catalog: of('catalog'),
    part: of('part'),
    characteristic: of('characteristic'),
    measurement: of('measurement'),
    value: of('value'),
  };
}

function definitionsOf(owner: AttributeOwner, wanted: ReadonlySet<number>): AnyAttributeDefinition[] {
  return STANDARD_ATTRIBUTES.flatMap(({ key, entity, names, type, length }): AnyAttributeDefinition[] => {
    if (entity !== owner || !wanted.has(key)) return [];
    const named = { key, description: names.en };
    if (type === 'Catalog') return [{ definitionType: 'CatalogAttributeDefinition', ...named, catalog: CATALOG_OF.get(key)?.uuid ?? '' }];
    return [{ definitionType: 'AttributeDefinition', ...named, type, ...(length !== undefined && { length }) }];
  });
}

/** Compares the definitions of a demo with a server: missing ones, and conflicts as sentences. */
export function compareDefinitions(
  configuration: ConfigurationAnswer,
  definitions: Definitions = DEFINITIONS,
): { missing: Definitions; conflicts: string[] } {
  const missing = { catalog: [], part: [], characteristic: [], measurement: [], value: [] } as Record<
    AttributeOwner,
    AnyAttributeDefinition[]
  >;
  const conflicts: string[] = [];
  const owners = Object.keys(definitions) as AttributeOwner[];
  const known = new Map(
    owners.flatMap((owner) => configuration[`${owner}Attributes`].map((definition) => [definition.key, { owner, definition }] as const)),
  );
  for (const owner of owners) {
    for (const wanted of definitions[owner]) {
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
    return 'catalog' in found && 'catalog' in wanted;
  return found.type === wanted.type && (found.length ?? 0) >= (wanted.length ?? 0);
}

/**
 * Defines the attributes of a demo that a server lacks, with their catalogs. Catalogs that the server has get the entries of the demo.
 * @throws DemoRefusal before anything is written, when the server uses an attribute key or an entry for something else
 */
export async function writeDefinitions(sinebar: SinebarClient, definitions: Definitions): Promise<void> {
  const configuration = await sinebar.configuration.get();
  const { missing, conflicts } = compareDefinitions(configuration, definitions);
  const catalogs = compareCatalogs(configuration, await sinebar.catalogs.list());
  if (conflicts.length + catalogs.conflicts.length > 0)
    throw new DemoRefusal(
      `Attributes of this server are in the way of the demo; nothing was done.\n  ${[...conflicts, ...catalogs.conflicts].join('\n  ')}`,
    );
  for (const owner of Object.keys(definitions) as AttributeOwner[]) {
    if (missing[owner].length > 0) await sinebar.configuration.create(owner, missing[owner]);
    if (owner !== 'catalog') continue;
    if (catalogs.missing.length > 0) await sinebar.catalogs.create(catalogs.missing);
    for (const { uuid, entries } of catalogs.incomplete) await sinebar.catalogs.addEntries(uuid, entries);
  }
}

/** Compares the catalogs of the demo with those that the attributes of a server refer to. */
export function compareCatalogs(
  { measurementAttributes }: ConfigurationAnswer,
  known: readonly Catalog[],
): { missing: Catalog[]; incomplete: { uuid: string; entries: Catalog['catalogEntries'] }[]; conflicts: string[] } {
  const byUuid = new Map(known.map((catalog) => [catalog.uuid, catalog]));
  const missing: Catalog[] = [];
  const incomplete: { uuid: string; entries: Catalog['catalogEntries'] }[] = [];
  const conflicts: string[] = [];
  for (const [attribute, wanted] of CATALOG_OF) {
    const definition = measurementAttributes.find(({ key }) => key === attribute);
    const found = byUuid.get(definition && 'catalog' in definition ? definition.catalog : wanted.uuid);
    if (!found) {
      missing.push(wanted);
      continue;
    }
    const entries = wanted.catalogEntries.filter(({ key }) => !found.catalogEntries.some((entry) => entry.key === key));
    const others = wanted.catalogEntries.filter((entry) => !entries.includes(entry) && !isIn(found, entry));
    if (others.length > 0)
      conflicts.push(`the catalog "${found.name}" has other entries ${others.map(({ key }) => key).join(', ')} than the demo`);
    if (wanted.validAttributes.some((key) => !found.validAttributes.includes(key)))
      conflicts.push(`the catalog "${found.name}" lacks the attributes ${wanted.validAttributes.join(', ')} of the demo`);
    if (entries.length > 0) incomplete.push({ uuid: found.uuid, entries });
  }
  return { missing, incomplete, conflicts };
}

function isIn({ catalogEntries }: Catalog, { key, attributes }: Catalog['catalogEntries'][number]): boolean {
  const found = catalogEntries.find((entry) => entry.key === key);
  return found !== undefined && Object.entries(attributes).every(([attribute, text]) => found.attributes[Number(attribute)] === text);
}
