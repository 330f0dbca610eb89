import { list, searchParameters, text, yes } from '../../server/search-parameters';
import { EVENT_KINDS, type EventKind } from './event-views';

/** Everything that defines the view, besides the path. */
export const search = searchParameters({
  find: text,
  /** Kinds that are left out. */
  hide: (value): readonly EventKind[] | undefined => {
    const named = list(value) ?? [];
    const found = EVENT_KINDS.filter((kind) => named.includes(kind));
    return found.length > 0 ? found : undefined;
  },
  /** Path of a part: only what happens there and below it. */
  below: text,
  /** Only measurements with values out of tolerance or in warning. */
  bad: yes,
});

/** The view in the address. */
export interface LiveAddress {
  find: string;
  hide: readonly EventKind[];
  below: string;
  bad: true;
}
