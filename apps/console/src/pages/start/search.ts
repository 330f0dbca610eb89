import { searchParameters } from '../../server/search-parameters';

/** The start page has one view. */
export const search = searchParameters({});
