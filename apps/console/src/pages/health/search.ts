import { searchParameters } from '../../server/search-parameters';

/** Everything that defines the view, besides the path. */
export const search = searchParameters({});
