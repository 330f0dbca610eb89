import { searchParameters } from '../../server/search-parameters';

/** The page has one view. */
export const search = searchParameters({});
