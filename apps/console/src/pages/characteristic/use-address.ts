import { useRouterState } from '@tanstack/react-router';
import { useView } from '../../server/use-view';
import type { CharacteristicSearch } from './search';

/** Names of the parameters of the path. */
type Params = Record<'partUuid' | 'characteristicUuid', string>;

/** The characteristic that the address names, and the part that it belongs to. */
export function useCharacteristicParams(): Params {
  // As a text the parameters are equal as long as none changes.
  const params = useRouterState({ select: ({ matches }) => JSON.stringify(matches.at(-1)?.params ?? {}) });
  const { partUuid = '', characteristicUuid = '' } = JSON.parse(params) as Partial<Params>;
  return { partUuid, characteristicUuid };
}

/** The view in the address. */
export function useCharacteristicSearch(): CharacteristicSearch {
  return useView<Required<CharacteristicSearch>>().view;
}
