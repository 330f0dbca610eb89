import { shownDecimals } from '@sinebar/charts';
import { CHARACTERISTIC_KEYS } from '@sinebar/client';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { divideGroups } from '../../quality/groups/grouping';
import {
  evaluationQuery,
  groupsQuery,
  probabilityQuery,
  seriesQuery,
  summaryQuery,
  valuesOfMeasurementsQuery,
} from '../../server/queries/analysis-queries';
import { characteristicQuery } from '../../server/queries/plan-queries';
import { useServer } from '../../server/server';
import { evaluatedOf } from './evaluated';
import type { CharacteristicSearch } from './search';
import { choiceOf, selectionOf } from './view';

/** Most entries of a chart, points of the probability plot, and newest values beside them. */
export const SERIES_POINTS = 2000;
const PROBABILITY_POINTS = 400;
export const NEWEST = 25;

const { unit: UNIT, decimalPlaces: DECIMAL_PLACES } = CHARACTERISTIC_KEYS;

/** Reads what the pages of a characteristic show. */
export function useCharacteristic(uuid: string, search: CharacteristicSearch) {
  const server = useServer();
  const choice = choiceOf(search);
  const { viewFrom, viewTo } = search;
  const isZoomed = viewFrom !== undefined || viewTo !== undefined;
  const item = useQuery(characteristicQuery(server, uuid));
  const summary = useQuery(summaryQuery(server, uuid, choice));
  const groups = useQuery(groupsQuery(server, uuid, choice, search.split));
  // A split that the server refuses, such as by shift without shifts, fails in its own pane only.
  const by = groups.data === undefined ? {} : { by: groups.data.by };
  const series = useQuery(seriesQuery(server, uuid, choice, { points: SERIES_POINTS, newest: NEWEST, ...by }));
  const view = useQuery({
    ...seriesQuery(server, uuid, choice, {
      points: SERIES_POINTS,
      ...by,
      ...(viewFrom !== undefined && { shownFrom: viewFrom }),
      ...(viewTo !== undefined && { shownTo: viewTo }),
    }),
    enabled: isZoomed,
  });
  // The server reads all values for each of these: the chart comes first.
  const probability = useQuery({
    ...probabilityQuery(server, uuid, selectionOf(search), PROBABILITY_POINTS),
    enabled: !series.isPending,
  });
  const divided = useMemo(() => groups.data && divideGroups(groups.data), [groups.data]);
  const evaluation = useQuery(evaluationQuery(server, uuid));
  const evaluated = useMemo(() => evaluatedOf(search, evaluation.data), [search, evaluation.data]);
  const leftOut = useQuery(
    valuesOfMeasurementsQuery(
      server,
      uuid,
      evaluated.leftOut.map(({ measurementUuid }) => measurementUuid),
    ),
  );
  const unit = item.data?.attributes[UNIT];
  const places = item.data?.attributes[DECIMAL_PLACES];
  const decimals = useMemo(() => {
    const { limits = { sources: {} }, minimum, maximum } = summary.data ?? {};
    const { sources: _, ...bounds } = limits;
    const values = [minimum, maximum, ...(series.data?.newest ?? []).map(({ value }) => value)];
    return shownDecimals({ limits: bounds, values, ...(places !== undefined && { places }) });
  }, [summary.data, series.data, places]);
  return {
    item,
    summary,
    series,
    /** The stretch in view; until it has come, the whole series, which is drawn in its place. */
    shown: isZoomed && view.data !== undefined && !view.isPlaceholderData ? view : series,
    isZoomed,
    groups,
    /** Groups that have a colour and a shape of their own. */
    divided,
    probability,
    /** How the values are judged for everybody, and what the address makes of it. */
    evaluation: evaluation.data,
    evaluated,
    /** Values of what is left out. */
    leftOut: leftOut.data ?? [],
    unit: typeof unit === 'string' ? unit : '',
    decimals,
  };
}

export type CharacteristicData = ReturnType<typeof useCharacteristic>;
