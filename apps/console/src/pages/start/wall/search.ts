import { searchParameters, text, whole } from '../../../server/search-parameters';

/** Everything that defines the view, besides the path. */
export const search = searchParameters({
  /** Uuid of a part: only what is below it. */
  part: text,
  /** Seconds for which each screen stays. */
  seconds: whole(5, 600),
});

/** The view in the address. */
export interface WallAddress {
  part: string;
  seconds: number;
}
