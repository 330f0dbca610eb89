import type { AttributeOwner } from '@sinebar/client';
import { oneOf, searchParameters, text } from '../../server/search-parameters';

/** What an attribute can belong to. */
export const OWNERS = ['part', 'characteristic', 'measurement', 'value', 'catalog'] as const satisfies readonly AttributeOwner[];

/** Everything that defines the view, besides the path. */
export const search = searchParameters({
  /** Whose attributes are shown. */
  owner: oneOf(OWNERS),
  find: text,
});

/** What the address holds. */
export interface DefinitionsAddress {
  owner: AttributeOwner;
  find: string;
}
