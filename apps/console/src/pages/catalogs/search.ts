import { searchParameters, text } from '../../server/search-parameters';

/** Everything that defines the view, besides the path. */
export const search = searchParameters({
  /** Uuid of the catalog whose entries are shown; without it the first. */
  catalog: text,
  find: text,
});

/** The view in the address. */
export interface CatalogsAddress {
  catalog: string;
  find: string;
}
