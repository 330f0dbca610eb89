import { searchParameters, text } from '../../server/search-parameters';

/** What the address of the notes of a part holds. */
export interface NotesAddress {
  find: string;
}

/** Everything that defines the view, besides the path. */
export const search = searchParameters({ find: text });
