import { FACTORY_PARTS, HOLDERS, LONG_PART, WIDE_PART } from './factory/plan.ts';
import { PARTS } from './plan.ts';

/** A page of the console on one of the worlds, of which there are pictures in all sizes and both themes. */
export interface PicturedPage {
  /** Name of its files without size and ending. */
  name: string;
  title: string;
  /** Address below `/console/`. */
  path: string;
}

/** Indices of the kinds of characteristics that look different: no limits, one limit, counts, words, equal values. */
const KINDS_SHOWN = [2, 3, 6, 7, 10];

interface Item {
  uuid: string;
  characteristics: readonly { uuid: string }[];
}

const page = (name: string, title: string, path: string): PicturedPage => ({ name, title, path });
const partOf = ({ uuid }: { uuid: string }) => `parts/${uuid}`;
const characteristicOf = (part: Item, index: number) => `${partOf(part)}/characteristics/${part.characteristics[index]!.uuid}`;

/** Views of a part and of its first characteristic. */
function pagesOf(part: Item): PicturedPage[] {
  const first = characteristicOf(part, 0);
  const compared = part.characteristics.slice(0, 3).map(({ uuid }) => uuid);
  return [
    page('start', 'Start page', ''),
    page('part', 'Part', partOf(part)),
    page('part-measurements', 'Measurements of a part', `${partOf(part)}/measurements`),
    page('entry', 'Values by hand', `${partOf(part)}/entry`),
    page('plan', 'Plan of a part', `${partOf(part)}/plan`),
    page('characteristic', 'Characteristic', first),
    page('chart', 'Control chart', `${first}/chart?subgroup=5`),
    page('split', 'Characteristic, split by machine', `${first}?split=10`),
    page('compare', 'Comparison', `compare?characteristics=${compared.join(',')}`),
    page('measurements', 'Measurements', 'measurements'),
    page('files', 'Files', 'files'),
  ];
}

/** Lists the pages of both worlds; what does not depend on the world is pictured once. */
export function picturedPages(): Readonly<Record<'door' | 'factory', readonly PicturedPage[]>> {
  const kinds = FACTORY_PARTS[2]!;
  const administration = ['definitions', 'catalogs', 'health', 'rights'].map((name) =>
    page(name, `Administration, ${name}`, `administration/${name}`),
  );
  return {
    door: [
      ...pagesOf(PARTS[0]!),
      page('notes', 'Notes', `${partOf(PARTS[0]!)}/notes`),
      page('import', 'Import', 'import?zone=Europe/Berlin'),
      page('live', 'Live', 'live'),
      page('nowhere', 'Unknown address', 'nowhere'),
      ...administration,
    ],
    factory: [
      ...pagesOf(kinds),
      page('plant', 'Plant with lines below', partOf(HOLDERS[0]!)),
      page('part-of-2000', 'Part with 2,000 characteristics', partOf(WIDE_PART)),
      page('many-values', 'Characteristic with 100,000 values', characteristicOf(LONG_PART, 0)),
      ...KINDS_SHOWN.map((index) => page(`kind-${index + 1}`, kinds.characteristics[index]!.kind.name, characteristicOf(kinds, index))),
    ],
  };
}
