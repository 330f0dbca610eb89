import { FILE_KINDS } from '../../quality/files/file-kind';
import { oneOf, searchParameters, text } from '../../server/search-parameters';

/** Owners of the files that are listed: the part and what is below it, the part alone, measurements and their values, or all. */
export const FILE_OWNERS = ['below', 'own', 'measurements', 'all'] as const;
export type FileOwners = (typeof FILE_OWNERS)[number];

/** Everything that defines the view, besides the path. */
export const search = searchParameters({
  of: oneOf(FILE_OWNERS),
  kind: oneOf(FILE_KINDS),
  find: text,
  view: oneOf(['grid', 'list']),
  /** The file that stands at the side: entity, uuid and key. */
  selected: text,
  /** The entry of the selected archive whose beginning is shown. */
  entry: text,
});
