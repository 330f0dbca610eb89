import type { CharacteristicSummary } from '@sinebar/client';
import { useFormats, useTexts } from '../../design/language/language';
import { Figure, Horizontal, Label, UprightWall, Vertical } from '../drawing/figure';
import { Mark } from '../drawing/marks';
import { c } from '../drawing/paths';
import { linearScale } from '../drawing/scale';
import { texts } from '../texts';
import styles from './capability.module.css';
import drawing from '../drawing/drawing.module.css';

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
/** Distance that the name of the wanted value needs from other figures, px. */
const WANTED_ROOM = 48;

export interface IndicesProps {
  capability: Capability;
  wanted: number;
  width: number;
}

/** Capability indices with their confidence intervals against the wanted value, which is a wall. */
export function Indices({ capability, wanted, width }: IndicesProps) {
  const formats = useFormats();
  const t = useTexts(texts);
  const rows = rowsOf(capability);
  const left = capability.model ? LONG_NAMES_WIDTH : NAMES_WIDTH;
  const [low, high] = domainOf(rows, wanted);
  const right = width - FIGURES_WIDTH;
  const x = linearScale([low, high], [left, right]);
  const bottom = TOP + rows.length * PITCH;
  const confidence = formats.percent(capability.confidence);
  const ticks = KNOWN.filter((tick) => tick > low && tick < high && Math.abs(tick - wanted) > 0.005);
  return (
    <Figure width={width} height={bottom + 4} label={t.indicesLabel(confidence, formats.number(wanted, 2))}>
      {ticks.map((tick) => (
        <g key={tick}>
          <Vertical x={x(tick)} y1={TOP} y2={bottom} kind="grid" />
          {Math.abs(x(tick) - x(wanted)) > WANTED_ROOM && (
            <Label x={x(tick)} y={11} kind="axis" anchor="middle">
              {formats.number(tick, 2)}
            </Label>
          )}
        </g>
      ))}
      <UprightWall x={x(wanted)} y1={TOP} y2={bottom} side="left" />
      <Label x={x(wanted)} y={11} kind="strong" anchor="middle">
        {t.wanted(formats.number(wanted, 2))}
      </Label>
      <Label x={width} y={11} kind="axis" anchor="end">
        {t.interval(confidence)}
      </Label>
      {rows.map(({ index, isComputed, isMain, isNormal }, row) => {
        const y = TOP + PITCH * (row + 0.5);
        // Only what counts is judged.
        const isEnough = isNormal || index.value >= wanted;
        const clipped = (value: number) => Math.max(left, Math.min(x(value), right));
        const [from, to] = [clipped(index.lower ?? index.value), clipped(index.upper ?? index.value)];
        return (
          <g key={row}>
            <Label x={0} y={y + 4} kind="label" isStrong={isMain}>
              {isNormal ? t.ofNormal(index.name) : index.name}
            </Label>
            <Horizontal x1={left} x2={right} y={y} kind="grid" />
            {index.lower !== undefined && (
              <path
                className={isComputed ? styles.computedWhisker : drawing.outline}
                d={`M${c(from)} ${y - 4}v8M${c(to)} ${y - 4}v8M${c(from)} ${y}H${c(to)}`}
              />
            )}
            <circle className={isComputed ? drawing.outlinedComputed : drawing.outlined} cx={clipped(index.value)} cy={y} r={3.6} />
            <Label x={width - 82} y={y + 4} anchor="end" isStrong kind={isEnough ? 'label' : 'out'}>
              {formats.number(index.value, 2)}
            </Label>
            {!isEnough && <Mark name="above" x={width - 72} y={y} size={9} />}
            {index.lower !== undefined && index.upper !== undefined && (
              <Label x={width} y={y + 4} anchor="end" kind="soft">
                {`${formats.number(index.lower, 2)} – ${formats.number(index.upper, 2)}`}
              </Label>
            )}
          </g>
        );
      })}
    </Figure>
  );
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
