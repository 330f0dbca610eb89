import type { SinebarClient } from '@sinebar/client';
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

/** The definitions of all attributes: names, types, catalogs. */
export function configurationQuery(client: SinebarClient) {
  return queryOptions({
    queryKey: [KEYS.configuration, 'definitions'],
    queryFn: ({ signal }) => client.configuration.get({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Name, version and counts of the server. */
export function serviceInformationQuery(client: SinebarClient) {
  return queryOptions({
    queryKey: [KEYS.server, 'information'],
    queryFn: ({ signal }) => client.serviceInformation({ signal }),
  });
}
