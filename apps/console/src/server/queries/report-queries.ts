import type { SinebarClient } from '@sinebar/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { queryKeys } from './keys';

/** Most reports of one list. */
export const MAX_REPORTS = 1000;
/** Time between two readings of kept reports, which no event tells of, ms. */
const REPORTS_EVERY_MS = 30_000;
/** The same while one is being written, ms. */
const RUNNING_EVERY_MS = 1_000;

/** Templates of reports, also those that cannot be used. */
export function reportTemplatesQuery(client: SinebarClient) {
  return queryOptions({
    queryKey: queryKeys.reports('templates'),
    queryFn: ({ signal }) => client.reports.templates({ signal }),
  });
}

/** Kept reports, the newest first. */
export function keptReportsQuery(client: SinebarClient) {
  return queryOptions({
    queryKey: queryKeys.reports('kept'),
    queryFn: ({ signal }) => client.reports.list({ limitResult: MAX_REPORTS, signal }),
    refetchInterval: ({ state: { data } }) => (data?.some(({ state }) => state === 'running') ? RUNNING_EVERY_MS : REPORTS_EVERY_MS),
    placeholderData: keepPreviousData,
  });
}

/** Texts that are typed for the first article inspection of a part, with the validator of their change. */
export function firstArticleQuery(client: SinebarClient, partUuid: string) {
  return queryOptions({
    queryKey: queryKeys.reports('first article', partUuid),
    queryFn: ({ signal }) => client.reports.firstArticle(partUuid, { signal }),
  });
}

/** Schedules of reports. */
export function schedulesQuery(client: SinebarClient) {
  return queryOptions({
    queryKey: queryKeys.reports('schedules'),
    queryFn: ({ signal }) => client.reports.schedules({ signal }),
    refetchInterval: REPORTS_EVERY_MS,
  });
}

/** The last run of a schedule; `null` without one. */
export function lastRunQuery(client: SinebarClient, uuid: string) {
  return queryOptions({
    queryKey: queryKeys.reports('run', uuid),
    queryFn: async ({ signal }) => (await client.reports.runs(uuid, { limitResult: 1, signal }))[0] ?? null,
    refetchInterval: ({ state: { data } }) => (data?.state === 'running' ? RUNNING_EVERY_MS : REPORTS_EVERY_MS),
  });
}
