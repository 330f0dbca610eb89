import { splitBy } from '../../quality/groups/split';
import { oneOf, searchParameters, text, time, whole } from '../../server/search-parameters';

/** Everything that defines the view, besides the path. */
export const search = searchParameters({
  /** Uuids of characteristics, with commas. */
  characteristics: text,
  /** The two that are drawn against each other, with a comma. */
  pair: text,
  view: oneOf(['all', 'course', 'boxes', 'scatter']),
  from: time,
  to: time,
  newest: whole(1, 5_000_000),
  condition: text,
  /** What the values are split by: the key of a measurement attribute, or shift, day or week. */
  split: splitBy,
});

export type CompareSearch = ReturnType<typeof search>;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Most characteristics of a comparison. */
const MAX_COMPARED = 8;

export function uuidsOf(list: string | undefined): string[] {
  return [...new Set((list ?? '').split(',').filter((uuid) => UUID.test(uuid)))].slice(0, MAX_COMPARED);
}

/** The two characteristics that are drawn against each other: those chosen, else the first two. */
export function pairOf({ characteristics, pair }: CompareSearch): [string, string] | undefined {
  const uuids = uuidsOf(characteristics);
  const chosen = uuidsOf(pair).filter((uuid) => uuids.includes(uuid));
  const [first, second] = chosen.length === 2 ? chosen : uuids;
  return first === undefined || second === undefined ? undefined : [first, second];
}
