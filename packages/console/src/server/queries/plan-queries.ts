import type { SinebarClient } from '@sinebar/client';
import { parseMarkedPath } from '@sinebar/query-language';
import { queryOptions } from '@tanstack/react-query';
import { KEYS } from './keys';

/** A part with its attributes. */
export function partQuery(client: SinebarClient, partUuid: string) {
  return queryOptions({
    queryKey: [KEYS.plan, 'part', partUuid],
    queryFn: ({ signal }) => client.parts.get(partUuid, { signal }),
  });
}

/** A characteristic with its attributes. */
export function characteristicQuery(client: SinebarClient, characteristicUuid: string) {
  return queryOptions({
    queryKey: [KEYS.plan, 'characteristic', characteristicUuid],
    queryFn: ({ signal }) => client.characteristics.get(characteristicUuid, { signal }),
  });
}

/** Name, version and counts of the server. */
export function serviceInformationQuery(client: SinebarClient) {
  return queryOptions({
    queryKey: [KEYS.server, 'information'],
    queryFn: ({ signal }) => client.serviceInformation({ signal }),
  });
}

/** A part above another item. */
export interface Ancestor {
  uuid: string;
  name: string;
}

/** The parts on a path such as `PPC:/Car door/Frame/Gap left/`, from the root on, without the item itself; only those that the reader may see. */
export function ancestorsQuery(client: SinebarClient, path: string | undefined) {
  return queryOptions({
    queryKey: [KEYS.plan, 'ancestors', path],
    queryFn: async ({ signal }): Promise<Ancestor[]> => {
      const elements = parseMarkedPath(path ?? '').slice(0, -1);
      const paths = elements.map(
        (_, i) =>
          `/${elements
            .slice(0, i + 1)
            .map(({ name }) => name.replace(/[\\/]/g, String.raw`\$&`))
            .join('/')}`,
      );
      const found = await Promise.all(
        paths.map((partPath) => client.parts.list({ partPath, depth: 0, requestedPartAttributes: 'None', signal })),
      );
      return found.flatMap((parts, i) => parts.map(({ uuid }) => ({ uuid, name: elements[i]?.name ?? '' })));
    },
    enabled: path !== undefined,
  });
}
