import type { CharacteristicSummary } from '@sinebar/contracts';
import { horizontal, label, uprightWall, vertical } from '../drawing/lines.ts';
import { mark } from '../drawing/marks.ts';
import { c } from '../drawing/paths.ts';
import { linearScale } from '../drawing/scale.ts';
import { circle, group, path, shapesOf, type Drawing } from '../drawing/shapes.ts';
import { textsIn, type Locale } from '../language/texts.ts';
import { texts } from '../texts.ts';

type Capability = NonNullable<CharacteristicSummary['capability']>;
type Index = NonNullable<Capability['normal']['overall']['p']>;

const NAMES_WIDTH = 44;
/** Width of names that say which distribution an index is of, px. */
const LONG_NAMES_WIDTH = 84;
const FIGURES_WIDTH = 140;
const PITCH = 21;
const TOP = 18;
/** Values that people know indices by. */
const KNOWN = [0.67, 1, 1.33, 1.67, 2];
/** Distance that the name of the wanted value needs from other figures at least, and for each of its letters, px. */
const WANTED_ROOM = 48;
const WANTED_LETTER = 3.25;
const FIGURE_ROOM = 12;

export interface IndicesInput {
  capability: Capability;
  wanted: number;
  width: number;
}

/** Capability indices with their confidence intervals against the wanted value, which is a wall. */
export function indices({ capability, wanted, width }: IndicesInput, { formats, language }: Locale): Drawing {
  const t = textsIn(texts, language);
  const rows = rowsOf(capability);
  const left = capability.model ? LONG_NAMES_WIDTH : NAMES_WIDTH;
  const [low, high] = domainOf(rows, wanted);
  const right = width - FIGURES_WIDTH;
  const x = linearScale([low, high], [left, right]);
  const bottom = TOP + rows.length * PITCH;
  const wantedText = t.wanted(formats.number(wanted, 2));
  const wantedRoom = Math.max(WANTED_ROOM, wantedText.length * WANTED_LETTER + FIGURE_ROOM);
  const confidence = formats.percent(capability.confidence);
  const ticks = KNOWN.filter((tick) => tick > low && tick < high && Math.abs(tick - wanted) > 0.005);
  const drawRow = ({ index, isComputed, isMain, isNormal }: Row, row: number) => {
    const y = TOP + PITCH * (row + 0.5);
    // Only what counts is judged.
    const isEnough = isNormal || index.value >= wanted;
    const clipped = (value: number) => Math.max(left, Math.min(x(value), right));
    const [from, to] = [clipped(index.lower ?? index.value), clipped(index.upper ?? index.value)];
    const whisker = `M${c(from)} ${y - 4}v8M${c(to)} ${y - 4}v8M${c(from)} ${y}H${c(to)}`;
    return group([
      label({ x: 0, y: y + 4, kind: 'label', isStrong: isMain }, isNormal ? t.ofNormal(index.name) : index.name),
      horizontal({ x1: left, x2: right, y, kind: 'grid' }),
      index.lower !== undefined && path(isComputed ? 'computedWhisker' : 'outline', whisker),
      circle(isComputed ? 'outlinedComputed' : 'outlined', clipped(index.value), y, 3.6),
      label({ x: width - 82, y: y + 4, anchor: 'end', isStrong: true, kind: isEnough ? 'label' : 'out' }, formats.number(index.value, 2)),
      !isEnough && mark({ name: 'above', x: width - 72, y, size: 9 }),
      index.lower !== undefined &&
        index.upper !== undefined &&
        label({ x: width, y: y + 4, anchor: 'end', kind: 'soft' }, `${formats.number(index.lower, 2)} – ${formats.number(index.upper, 2)}`),
    ]);
  };
  const shapes = shapesOf([
    ticks.map((tick) =>
      group([
        vertical({ x: x(tick), y1: TOP, y2: bottom, kind: 'grid' }),
        Math.abs(x(tick) - x(wanted)) > wantedRoom && label({ x: x(tick), y: 11, kind: 'axis', anchor: 'middle' }, formats.number(tick, 2)),
      ]),
    ),
    uprightWall({ x: x(wanted), y1: TOP, y2: bottom, side: 'left' }),
    label({ x: x(wanted), y: 11, kind: 'strong', anchor: 'middle' }, wantedText),
    label({ x: width, y: 11, kind: 'axis', anchor: 'end' }, t.interval(confidence)),
    rows.map(drawRow),
  ]);
  return { width, height: bottom + 4, label: t.indicesLabel(confidence, formats.number(wanted, 2)), shapes };
}

interface Row {
  index: Index;
  isComputed: boolean;
  isMain: boolean;
  /** Whether it is of the normal distribution, while another model counts. */
  isNormal: boolean;
}

function rowsOf({ pk, model, normal: { overall, within } }: Capability): Row[] {
  const row = (index: Index | undefined, isComputed: boolean, { isMain = false, isNormal = false } = {}): Row[] =>
    index ? [{ index, isComputed, isMain, isNormal }] : [];
  const isNormal = model !== undefined;
  return [
    ...row((model ?? overall).p, false),
    ...row(pk, false, { isMain: true }),
    ...(isNormal ? [...row(overall.p, false, { isNormal }), ...row(overall.pk, false, { isNormal })] : []),
    ...row(within?.p, true, { isNormal }),
    ...row(within?.pk, true, { isNormal }),
  ];
}

/** Shows the wanted value and all indices; an index far above needs no exact place. */
function domainOf(rows: readonly Row[], wanted: number): readonly [number, number] {
  const values = rows.flatMap(({ index }) => [index.value, index.lower ?? index.value, index.upper ?? index.value]);
  const low = Math.max(Math.min(wanted - 0.73, ...values.map((value) => value - 0.1)), wanted - 2.5);
  const high = Math.min(Math.max(wanted + 0.47, ...values.map((value) => value + 0.1)), wanted + 1.6);
  return [low, high];
}
