import { PARTS } from './plan.ts';

/** A picture of the console on the demo, in the folder `docs/pictures`. */
export interface DemoPicture {
  /** Name of the file without its ending. */
  name: string;
  /** Address below `/console/`. */
  path: string;
  theme: 'light' | 'dark';
  /** Size of the window in pixels. */
  viewport: { width: number; height: number };
  /** Name of a button that is pressed before the picture is taken. */
  press?: RegExp;
}

const DESK = { width: 1280, height: 800 };
const WALL = { width: 1600, height: 900 };
const TABLET = { width: 768, height: 1024 };

/** Lists the pictures of the documentation. */
export function demoPictures(): DemoPicture[] {
  const door = `parts/${partOf('Car door').uuid}`;
  const compared = ['Gap A-pillar 02', 'Gap A-pillar 03', 'Gap A-pillar 05'].map((name) => characteristicOf(name).uuid);
  const desk = (name: string, path: string): DemoPicture => ({ name, path, theme: 'light', viewport: DESK });
  return [
    desk('start', ''),
    desk('part', door),
    desk('characteristic', pageOf('Hinge pin diameter')),
    { ...desk('characteristic-dark', pageOf('Frame twist')), theme: 'dark' },
    desk('chart', `${pageOf('Hinge pin diameter')}/chart?subgroup=5`),
    desk('compare', `compare?characteristics=${compared.join(',')}`),
    { ...desk('measurements', `${door}/measurements`), theme: 'dark' },
    { ...desk('files', `${door}/files`), press: /inspection-plan\.zip/ },
    desk('plan', `${door}/plan`),
    desk('import', 'import?zone=Europe/Berlin'),
    desk('health', 'administration/health'),
    { name: 'wall', path: 'wall', theme: 'dark', viewport: WALL },
    { name: 'tablet', path: '', theme: 'dark', viewport: TABLET },
  ];
}

function partOf(name: string) {
  const part = PARTS.find((each) => each.name === name);
  if (part === undefined) throw new Error(`the demo has no part ${name}`);
  return part;
}

function characteristicOf(name: string) {
  const owner = PARTS.find(({ characteristics }) => characteristics.some((each) => each.name === name));
  const uuid = owner?.characteristics.find((each) => each.name === name)?.uuid;
  if (owner === undefined || uuid === undefined) throw new Error(`the demo has no characteristic ${name}`);
  return { owner: owner.uuid, uuid };
}

function pageOf(name: string): string {
  const { owner, uuid } = characteristicOf(name);
  return `parts/${owner}/characteristics/${uuid}`;
}
