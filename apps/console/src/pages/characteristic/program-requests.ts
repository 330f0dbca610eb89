import type { ProgramRequest } from '../../design/program/program-request';
import type { CharacteristicSearch } from './search';
import { SERIES_POINTS } from './use-characteristic';
import { choiceOf, selectionOf } from './view';

/** The requests of the page, for the drawer that shows them as programs. */
export function programRequests(
  characteristicUuid: string,
  search: CharacteristicSearch,
  names: { capability: string; individuals: string; movingRange: string; probability: string },
): ProgramRequest[] {
  const path = `/analysisServiceRest/characteristics/${characteristicUuid}`;
  const { confidence, ...choice } = choiceOf(search);
  const { viewFrom, viewTo } = search;
  return [
    { title: names.capability, path: `${path}/summary`, query: { ...asQuery(choice), confidence } },
    {
      title: `${names.individuals}, ${names.movingRange}`,
      path: `${path}/series`,
      query: { ...asQuery(choice), points: SERIES_POINTS, shownFrom: viewFrom, shownTo: viewTo },
    },
    { title: names.probability, path: `${path}/probability`, query: asQuery(selectionOf(search)) },
  ];
}

/** Times are texts in an address already. */
function asQuery(choice: object): NonNullable<ProgramRequest['query']> {
  return Object.fromEntries(Object.entries(choice) as [string, string | number | readonly string[] | undefined][]);
}
