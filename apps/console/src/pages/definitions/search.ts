import type { AttributeOwner } from '@sinebar/client';
import { oneOf, searchParameters, text } from '../../server/search-parameters';

/** Kinds of items that have attributes. */
export const OWNERS = ['part', 'characteristic', 'measurement', 'value', 'catalog'] as const satisfies readonly AttributeOwner[];

/** Everything that defines the view, besides the path. */
export const search = searchParameters({
  /** Entity whose attributes are shown. */
  owner: oneOf(OWNERS),
  find: text,
});

/** The view in the address. */
export interface DefinitionsAddress {
  owner: AttributeOwner;
  find: string;
}
