import type { Part } from '@sinebar/client';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useServer } from '../../server/server';
import { namesOf, partPathOf } from './plan-path';

/** Uuid of the root part. spec: decisions.md 4.1 */
export const ROOT_PART = '00000000-0000-0000-0000-000000000000';

export function usePart(partUuid: string): UseQueryResult<Part> {
  const server = useServer();
  return useQuery({ queryKey: ['plan', 'part', partUuid], queryFn: ({ signal }) => server.parts.get(partUuid, { signal }) });
}

/** A part above another one. */
export interface Ancestor {
  uuid: string;
  name: string;
}

/** Reads the parts above a path, from the root on, without those that the reader may not see. */
export function useAncestors(path: string | undefined): readonly Ancestor[] {
  const server = useServer();
  const { data } = useQuery({
    queryKey: ['plan', 'ancestors', path],
    queryFn: async ({ signal }) => {
      const names = namesOf(path ?? '/');
      const paths = names.slice(0, -1).map((_, index) => namesPath(names.slice(0, index + 1)));
      const found = await Promise.all(
        paths.map((partPath) => server.parts.list({ partPath, depth: 0, requestedPartAttributes: 'None', signal })),
      );
      return found.flat().map((part) => ({ uuid: part.uuid, name: namesOf(part.path).at(-1) ?? '' }));
    },
    enabled: path !== undefined && namesOf(path).length > 1,
  });
  return data ?? [];
}

function namesPath(names: readonly string[]): string {
  return `/${names.map((name) => name.replace(/[\\/]/g, '\\$&')).join('/')}`;
}

/** Path of a part as the parameter `partPath`; the root part is `/`. */
export function partPathFrom(part: Part): string {
  return partPathOf(part.path);
}

/** Reads the parts directly below the root, with their paths as `partPath` takes them. */
export function useTopParts(): readonly { path: string; name: string }[] {
  const server = useServer();
  const { data } = useQuery({
    queryKey: ['plan', 'top'],
    queryFn: ({ signal }) => server.parts.list({ partPath: '/', depth: 1, requestedPartAttributes: 'None', signal }),
    staleTime: 60_000,
  });
  return (data ?? [])
    .filter(({ uuid }) => uuid !== ROOT_PART)
    .map(({ path }) => ({ path: partPathOf(path), name: namesOf(path).at(-1) ?? '' }));
}
