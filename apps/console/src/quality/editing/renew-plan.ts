import type { QueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../server/queries/keys';

/** Keeps the earlier state where the server leaves that to its clients. */
export const KEPT = { versioningEnabled: true };

/** Reads the plan again, and the figures that depend on it. */
export async function renewPlan(queries: QueryClient): Promise<void> {
  void queries.invalidateQueries({ queryKey: queryKeys.overview() });
  void queries.invalidateQueries({ queryKey: queryKeys.values() });
  await queries.invalidateQueries({ queryKey: queryKeys.plan() });
}
