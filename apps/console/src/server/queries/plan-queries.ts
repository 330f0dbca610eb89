import type { SinebarClient } from '@sinebar/client';
import { queryOptions } from '@tanstack/react-query';
import { queryKeys } from './keys';
import { namesOf, plainPathFrom } from './plan-path';

/** A part with its attributes. */
export function partQuery(client: SinebarClient, partUuid: string) {
  return queryOptions({
    queryKey: queryKeys.plan('part', partUuid),
    queryFn: ({ signal }) => client.parts.get(partUuid, { signal }),
  });
}

/** A characteristic with its attributes. */
export function characteristicQuery(client: SinebarClient, characteristicUuid: string) {
  return queryOptions({
    queryKey: queryKeys.plan('characteristic', characteristicUuid),
    queryFn: ({ signal }) => client.characteristics.get(characteristicUuid, { signal }),
  });
}

/** Name, version and counts of the server. */
export function serviceInformationQuery(client: SinebarClient) {
  return queryOptions({
    queryKey: queryKeys.server('information'),
    queryFn: ({ signal }) => client.serviceInformation({ signal }),
  });
}

/** How many parts and characteristics the reader may see. */
export function planCountsQuery(client: SinebarClient) {
  return queryOptions({
    queryKey: queryKeys.plan('counts'),
    queryFn: async ({ signal }) => {
      const [parts, characteristics] = await Promise.all([
        client.planItems.count({ restrictToEntity: 'Part', signal }),
        client.planItems.count({ restrictToEntity: 'CharacteristicWithoutIntermediateParts', signal }),
      ]);
      return { parts, characteristics };
    },
  });
}

/** A part above another item. */
export interface Ancestor {
  uuid: string;
  name: string;
}

/**
 * The parts on a path such as `PPC:/Car door/Frame/Gap left/`, from the root on, without the item itself; only those that the reader may
 * see.
 */
export function ancestorsQuery(client: SinebarClient, path: string | undefined) {
  return queryOptions({
    queryKey: queryKeys.plan('ancestors', path),
    queryFn: async ({ signal }): Promise<Ancestor[]> => {
      const names = namesOf(path ?? '/').slice(0, -1);
      const paths = names.map((_, i) => plainPathFrom(names.slice(0, i + 1)));
      const found = await Promise.all(
        paths.map((partPath) => client.parts.list({ partPath, depth: 0, requestedPartAttributes: 'None', signal })),
      );
      return found.flatMap((parts, i) => parts.map(({ uuid }) => ({ uuid, name: names[i] ?? '' })));
    },
    enabled: path !== undefined,
  });
}

/** The parts directly below the root, and the root. */
export function topPartsQuery(client: SinebarClient) {
  return queryOptions({
    queryKey: queryKeys.plan('top'),
    queryFn: ({ signal }) => client.parts.list({ partPath: '/', depth: 1, requestedPartAttributes: 'None', signal }),
    staleTime: 60_000,
  });
}
