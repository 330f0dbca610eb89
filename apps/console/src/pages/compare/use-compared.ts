import { type Compared, comparedOf, shownDecimals } from '@sinebar/charts';
import { CHARACTERISTIC_KEYS } from '@sinebar/client';
import { useQueries, useQuery } from '@tanstack/react-query';
import { parseMarkedPath } from '@sinebar/query-language';
import { divideGroups, slotsOf } from '../../quality/groups/grouping';
import { correlationQuery, groupsQuery, seriesQuery, summaryQuery } from '../../server/queries/analysis-queries';
import { characteristicQuery } from '../../server/queries/plan-queries';
import { useServer } from '../../server/server';
import { pairOf, uuidsOf, type CompareSearch } from './search';

/** Entries of a course: more than are drawn, so that means and extremes are exact. */
export const COURSE_POINTS = 400;
/** Entries of a course that is split: single values have groups. */
const SPLIT_POINTS = 2000;
const NEWEST = 25;
const { unit: UNIT, decimalPlaces: DECIMAL_PLACES } = CHARACTERISTIC_KEYS;

/** The choice of the values that are compared. */
export function selectionOf({ from, to, newest, condition }: CompareSearch) {
  return {
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(newest !== undefined && { limitResult: newest }),
    ...(condition !== undefined && { searchCondition: condition }),
  };
}

/** Reads all that the comparison draws. */
export function useCompared(search: CompareSearch) {
  const server = useServer();
  const uuids = uuidsOf(search.characteristics);
  const selection = selectionOf(search);
  const items = useQueries({ queries: uuids.map((uuid) => characteristicQuery(server, uuid)) });
  const summaries = useQueries({ queries: uuids.map((uuid) => summaryQuery(server, uuid, selection)) });
  const { split } = search;
  const groups = useQueries({ queries: uuids.map((uuid) => groupsQuery(server, uuid, selection, split)) });
  const [first] = groups;
  const divided = first?.data && divideGroups(first.data);
  const series = useQueries({
    queries: uuids.map((uuid, i) => {
      // A split that the server refuses fails in its own pane only.
      const by = groups[i]?.data?.by;
      return by === undefined
        ? seriesQuery(server, uuid, selection, { points: COURSE_POINTS, newest: NEWEST })
        : seriesQuery(server, uuid, selection, { points: SPLIT_POINTS, newest: NEWEST, by });
    }),
  });
  const pairs = uuids.flatMap((first, i) => uuids.slice(i + 1).map((second) => [first, second] as const));
  const correlations = useQueries({ queries: pairs.map((pair) => correlationQuery(server, pair, selection)) });
  const chosen = pairOf(search);
  // The chosen pair may stand the other way round than in the triangle.
  const correlation = useQuery({ ...correlationQuery(server, chosen ?? ['', ''], selection), enabled: chosen !== undefined });
  const compared = uuids.flatMap((uuid, i): Compared[] => {
    const [item, summary, values] = [items[i]?.data, summaries[i]?.data, series[i]?.data];
    if (!summary || !values) return [];
    const names = parseMarkedPath(summary.path).map(({ name }) => name);
    const { sources: _, ...limits } = summary.limits;
    const unit = item?.attributes[UNIT];
    const answer = groups[i]?.data;
    const slots = answer && values.grouped && slotsOf(divideGroups(answer, divided?.slots), values.grouped.groups);
    return [
      comparedOf({
        uuid,
        name: names.at(-1) ?? '',
        parentName: names.at(-2) ?? '',
        unit: typeof unit === 'string' ? unit : '',
        decimals: shownDecimals({
          limits,
          values: [summary.minimum, summary.maximum, ...(values.newest ?? []).map(({ value }) => value)],
          places: item?.attributes[DECIMAL_PLACES],
        }),
        summary,
        series: values,
        ...(slots && { slots }),
      }),
    ];
  });
  const correlationOf = (first: string, second: string) => correlations[pairs.findIndex((pair) => pair[0] === first && pair[1] === second)];
  return {
    uuids,
    compared,
    error: [...summaries, ...series].find(({ error }) => error !== null)?.error,
    isLoading: [...summaries, ...series].some(({ isPending }) => isPending),
    retry: () => void Promise.all([...summaries, ...series].filter(({ error }) => error !== null).map(({ refetch }) => refetch())),
    pair: chosen,
    correlation,
    correlationOf,
    /** The groups of the first characteristic, whose colours all have. */
    divided,
    groupsOf: (uuid: string) => groups[uuids.indexOf(uuid)],
  };
}
