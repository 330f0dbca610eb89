import type { SinebarClient } from '@sinebar/client';
import { queryOptions } from '@tanstack/react-query';
import { queryKeys } from './keys';

/** Time between two questions for the health of the server, ms. */
const HEALTH_EVERY_MS = 10_000;

/** Whether the services can do their work, and how long the answer took; asked again on its own. */
export function healthQuery(client: SinebarClient) {
  return queryOptions({
    queryKey: queryKeys.server('health'),
    queryFn: async ({ signal }) => {
      const begunMs = performance.now();
      const health = await client.health({ signal });
      return { ...health, durationMs: performance.now() - begunMs };
    },
    refetchInterval: HEALTH_EVERY_MS,
    // An outage must show at the next question, not after several attempts.
    retry: false,
  });
}

/** The rights of the reader, as the server sees them now. */
export function permissionsQuery(client: SinebarClient) {
  return queryOptions({
    queryKey: queryKeys.server('permissions'),
    queryFn: ({ signal }) => client.permissions({ signal }),
  });
}

/** The access policy in force; with a user or a role also why they may do what on a part. */
export function accessPolicyQuery(client: SinebarClient, { user, role, part }: { user?: string; role?: string; part?: string }) {
  return queryOptions({
    queryKey: queryKeys.server('access policy', user, role, part),
    queryFn: ({ signal }) =>
      client.accessPolicy({
        signal,
        ...(user !== undefined ? { user } : role !== undefined && { role }),
        ...(part !== undefined && { partPath: part }),
      }),
  });
}

/** The views that are kept on the server: those of the reader, and those for all users. */
export function viewsQuery(client: SinebarClient) {
  return queryOptions({
    queryKey: queryKeys.server('views'),
    queryFn: ({ signal }) => client.views.list({ signal }),
    // Servers of earlier releases keep none; the page does without them.
    retry: false,
  });
}
