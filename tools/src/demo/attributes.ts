import type { AnyAttributeDefinition, AttributeOwner, Catalog, ConfigurationAnswer } from '@sinebar/client';
import { Random } from './random.js';

/** Keys of the attributes of the demo; the server's statistics use the same limit attributes (spec: decisions.md 5.4). */
export const KEY = {
  partNumber: 1001,
  partDescription: 1002,
  drawing: 1003,
  nominal: 2101,
  lowerTolerance: 2110,
  upperTolerance: 2111,
  unit: 2142,
  lowerWarning: 8014,
  upperWarning: 8015,
  lowerLimitKind: 2120,
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

const text = (key: number, description: string, length: number): AnyAttributeDefinition => ({
  definitionType: 'AttributeDefinition',
  key,
  description,
  type: 'AlphaNumeric',
  length,
});
const simple = (key: number, description: string, type: 'Float' | 'Integer' | 'DateTime'): AnyAttributeDefinition => ({
  definitionType: 'AttributeDefinition',
  key,
  description,
  type,
});
const listed = (key: number, description: string, { uuid }: Catalog): AnyAttributeDefinition => ({
  definitionType: 'CatalogAttributeDefinition',
  key,
  description,
  catalog: uuid,
});

/** Definitions in the order of creation: catalogs come between the first and the others. */
export const DEFINITIONS: Readonly<Record<AttributeOwner, readonly AnyAttributeDefinition[]>> = {
  catalog: [
    text(KEY.machineNumber, 'Machine number', 20),
    text(KEY.machineName, 'Machine', 80),
    text(KEY.operatorNumber, 'Operator number', 20),
    text(KEY.operatorName, 'Operator', 80),
  ],
  part: [text(KEY.partNumber, 'Part number', 30), text(KEY.partDescription, 'Part description', 80), text(KEY.drawing, 'Drawing', 30)],
  characteristic: [
    simple(KEY.nominal, 'Nominal value', 'Float'),
    simple(KEY.lowerTolerance, 'Lower tolerance limit', 'Float'),
    simple(KEY.upperTolerance, 'Upper tolerance limit', 'Float'),
    text(KEY.unit, 'Unit', 20),
    simple(KEY.lowerWarning, 'Lower warning limit', 'Float'),
    simple(KEY.upperWarning, 'Upper warning limit', 'Float'),
    simple(KEY.lowerLimitKind, 'Kind of the lower limit (2: natural boundary)', 'Integer'),
  ],
  measurement: [
    simple(KEY.time, 'Time', 'DateTime'),
    listed(KEY.operator, 'Operator', OPERATORS),
    listed(KEY.machine, 'Machine', MACHINES),
    text(KEY.serialNumber, 'Serial number', 40),
  ],
  value: [simple(KEY.measuredValue, 'Measured value', 'Float')],
};

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
