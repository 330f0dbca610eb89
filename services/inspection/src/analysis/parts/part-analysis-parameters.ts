import { NOW_STATUSES, PROCESS_STATUSES } from '@sinebar/contracts';
import { depthParameter, grammarParameter } from '@sinebar/http';
import { foldName, GrammarError, parseList } from '@sinebar/query-language';
import { z } from 'zod';
import { oneOf, valueSelectionQuery, wholeNumber } from '../analysis-parameters.ts';

/** The order of an overview: worst status first, smallest Ppk first, or by name. */
const OVERVIEW_ORDERS = ['status', 'ppk', 'name'] as const;

const MAX_PAGE = 500;
const DEFAULT_PAGE = 100;
const MAX_OFFSET = 999_999_999;

/** Words of the parameter `statuses`. */
export const CHOSEN_STATUSES = [...NOW_STATUSES, 'outOfTolerance', ...PROCESS_STATUSES] as const;
export type ChosenStatus = (typeof CHOSEN_STATUSES)[number];

/** Reads a list of statuses in any case. @throws GrammarError */
function parseStatuses(text: string): ChosenStatus[] {
  return parseList(text).map((word) => {
    const status = CHOSEN_STATUSES.find((known) => known.toLowerCase() === word.toLowerCase());
    if (status === undefined) throw new GrammarError(`a status is one of ${CHOSEN_STATUSES.join(', ')}, not ${JSON.stringify(word)}`, 0);
    return status;
  });
}

const belowPartQuery = { ...valueSelectionQuery, depth: depthParameter.optional() };

export const overviewQuery = {
  ...belowPartQuery,
  order: oneOf(OVERVIEW_ORDERS).optional(),
  statuses: grammarParameter(parseStatuses).optional(),
  find: z.string().transform(foldName).optional(),
  offset: wholeNumber(0, MAX_OFFSET).default(0),
  limit: wholeNumber(1, MAX_PAGE).default(DEFAULT_PAGE),
};
export type OverviewQuery = z.output<z.ZodObject<typeof overviewQuery>>;

/** Most children that one request may ask for; without `limit` it gets all. */
const MAX_CHILDREN = 100_000;

export const childrenQuery = { ...valueSelectionQuery, limit: wholeNumber(1, MAX_CHILDREN).optional() };
export type ChildrenQuery = z.output<z.ZodObject<typeof childrenQuery>>;

export const statusesQuery = belowPartQuery;
export type StatusesQuery = z.output<z.ZodObject<typeof statusesQuery>>;

export const changesQuery = {
  from: valueSelectionQuery.from,
  to: valueSelectionQuery.to,
  offset: wholeNumber(0, MAX_OFFSET).default(0),
  limit: wholeNumber(1, MAX_PAGE).default(DEFAULT_PAGE),
};
export type ChangesQuery = z.output<z.ZodObject<typeof changesQuery>>;
