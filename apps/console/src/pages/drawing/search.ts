import { searchParameters, yes } from '../../server/search-parameters';

/** Everything that defines the view, besides the path. */
export const search = searchParameters({
  /** Whether balloons can be moved. */
  edit: yes,
});
