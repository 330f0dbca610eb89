import type { Characteristic, Part, SinebarClient } from '@sinebar/client';
import type { Fields } from '../../quality/editing/draft';
import { childPathOf, nameOf, parentPathOf } from '../../server/queries/plan-path';
import type { PlanKind } from './search';

export type PlanItem = Part | Characteristic;

/** Name of the field that holds the name of an item, beside its attributes. */
export const NAME = 'name';

/** Returns the name and the attributes of an item as fields. */
export function fieldsOf({ path, attributes }: PlanItem): Fields {
  return { ...attributes, [NAME]: nameOf(path) };
}

/** Returns the change that writes fields; its attributes replace all that the item has. */
export function changeOf({ uuid, path }: PlanItem, { [NAME]: name = '', ...attributes }: Fields) {
  return {
    uuid,
    ...(name !== nameOf(path) && { path: childPathOf(parentPathOf(path), kindOf(path), name) }),
    attributes: Object.fromEntries(Object.entries(attributes).filter(([, text]) => text !== '')),
  };
}

/** Says what stands at a path with its type marker. */
function kindOf(path: string): PlanKind {
  return /C:/.test(path.slice(0, path.indexOf('/'))) ? 'characteristic' : 'part';
}

/** The part of the client that reads and writes items of a kind. */
export function itemsOf(server: SinebarClient, kind: PlanKind) {
  return kind === 'part' ? server.parts : server.characteristics;
}
