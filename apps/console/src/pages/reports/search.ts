import { searchParameters, text } from '../../server/search-parameters';

/** Content of the address of the page. */
export interface ReportsAddress {
  /** Text that the title or the part of a report has. */
  find: string;
}

/** Everything that defines the view. */
export const search = searchParameters({ find: text });
