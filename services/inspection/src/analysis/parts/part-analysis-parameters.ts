import { depthParameter } from '@sinebar/http';
import type { z } from 'zod';
import { oneOf, valueSelectionQuery, wholeNumber } from '../analysis-parameters.js';

/** The order of an overview: worst status first, smallest Ppk first, or by name. */
const OVERVIEW_ORDERS = ['status', 'ppk', 'name'] as const;

const MAX_PAGE = 500;
const DEFAULT_PAGE = 100;
const MAX_OFFSET = 999_999_999;

const belowPartQuery = { ...valueSelectionQuery, depth: depthParameter.optional() };

export const overviewQuery = {
  ...belowPartQuery,
  order: oneOf(OVERVIEW_ORDERS).optional(),
  offset: wholeNumber(0, MAX_OFFSET).default(0),
  limit: wholeNumber(1, MAX_PAGE).default(DEFAULT_PAGE),
};
export type OverviewQuery = z.output<z.ZodObject<typeof overviewQuery>>;

export const childrenQuery = valueSelectionQuery;
export type ChildrenQuery = z.output<z.ZodObject<typeof childrenQuery>>;

export const statusesQuery = belowPartQuery;
export type StatusesQuery = z.output<z.ZodObject<typeof statusesQuery>>;
