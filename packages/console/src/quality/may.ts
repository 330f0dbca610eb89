import type { Permissions } from '@sinebar/client';
import { useQuery } from '@tanstack/react-query';
import { useServer } from '../server/server';

export type PartRight = keyof Permissions['partRights'];

/**
 * Tells whether the reader has a right on a part; `undefined` until it is known.
 * @param partPath path without type marker
 */
export function useMay(right: PartRight, partPath: string | undefined): boolean | undefined {
  const server = useServer();
  const { data } = useQuery({
    queryKey: ['permissions', partPath],
    queryFn: ({ signal }) => server.permissions({ ...(partPath !== undefined && { partPath }), signal }),
    staleTime: 60_000,
    enabled: partPath !== undefined,
  });
  return data && (data.partRights[right] ?? []).length > 0;
}
