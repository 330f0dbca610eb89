import { searchParameters, text } from '../../server/search-parameters';

/** Parameters in the address of the page for entering values. */
export interface EntryAddress extends Readonly<Record<string, unknown>> {
  /** Part of the names of the characteristics that are shown. */
  find: string;
}

export const search = searchParameters<EntryAddress>({ find: text });
