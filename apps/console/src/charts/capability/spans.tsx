import type { CharacteristicSummary } from '@sinebar/client';
import { useFormats, useTexts } from '../../design/language/language';
import { Figure, Label, UprightWall, Vertical } from '../drawing/figure';
import { c } from '../drawing/paths';
import { linearScale } from '../drawing/scale';
import { texts } from '../texts';
import styles from './capability.module.css';

/** Height of the three dimension lines, px. */
const HEIGHT = 84;
const NAMES_WIDTH = 80;

export interface SpansProps {
  summary: CharacteristicSummary;
  /** Decimal places that values were measured with. */
  decimals: number;
  width: number;
}

/** Dimension lines: the tolerance against six standard deviations, overall and within. */
export function Spans({ summary, decimals, width }: SpansProps) {
  const formats = useFormats();
  const t = useTexts(texts);
  const { limits, mean, capability } = summary;
  const lower = limits.lowerTolerance ?? limits.lowerBoundary;
  const upper = limits.upperTolerance ?? limits.upperBoundary;
  const rows = [
    ...(lower !== undefined && upper !== undefined
      ? [{ name: t.tolerance, low: lower, high: upper, kind: 'tolerance' as const, decimals }]
      : []),
    ...spanOf(mean, capability?.normal.overall.sigma ?? summary.standardDeviation, {
      name: t.overallSpan,
      kind: 'measured',
      decimals: decimals + 1,
    }),
    ...spanOf(mean, capability?.normal.within?.sigma ?? summary.chart?.sigma, {
      name: t.withinSpan,
      kind: 'computed',
      decimals: decimals + 1,
    }),
  ];
  const ends = [...rows.flatMap(({ low, high }) => [low, high]), limits.lowerTolerance, limits.upperTolerance].filter(
    (end) => end !== undefined,
  );
  if (ends.length === 0) return null;
  const [from, to] = [Math.min(...ends), Math.max(...ends)];
  const margin = (to - from) * 0.06 || 1;
  const x = linearScale([from - margin, to + margin], [NAMES_WIDTH, width - 8]);
  const label = lower !== undefined && upper !== undefined ? t.spansLabel(formats.number(upper - lower, decimals)) : t.spansLabelOpen;
  return (
    <Figure width={width} height={HEIGHT} label={label}>
      {limits.lowerTolerance !== undefined && <UprightWall x={x(limits.lowerTolerance)} y1={2} y2={HEIGHT - 2} side="left" />}
      {limits.upperTolerance !== undefined && <UprightWall x={x(limits.upperTolerance)} y1={2} y2={HEIGHT - 2} side="right" />}
      {limits.nominal !== undefined && limits.nominal >= from && limits.nominal <= to && (
        <Vertical x={x(limits.nominal)} y1={2} y2={HEIGHT - 2} kind="nominal" />
      )}
      {rows.map(({ name, low, high, kind, decimals: places }, i) => (
        <g key={name}>
          <Label x={0} y={20 + i * 25} kind="label">
            {name}
          </Label>
          <Dimension x1={x(low)} x2={x(high)} y={16 + i * 25} kind={kind} text={formats.number(high - low, places)} />
        </g>
      ))}
    </Figure>
  );
}

type SpanKind = 'tolerance' | 'measured' | 'computed';

function spanOf(mean: number | undefined, sigma: number | undefined, row: { name: string; kind: SpanKind; decimals: number }) {
  if (mean === undefined || sigma === undefined) return [];
  return [{ ...row, low: mean - 3 * sigma, high: mean + 3 * sigma }];
}

/** Size of an arrow head, and width of a character of a figure, px. */
const HEAD = 5;
const CHARACTER = 6.6;

/** A dimension line as on a drawing: arrows at both ends, the figure in a gap in the middle. */
function Dimension({ x1, x2, y, kind, text }: { x1: number; x2: number; y: number; kind: SpanKind; text: string }) {
  const half = (text.length * CHARACTER) / 2 + 5;
  const middle = (x1 + x2) / 2;
  // A span that is too narrow for its figure has it at the right.
  const isInside = x2 - x1 > 2 * half + 20;
  const at = isInside ? middle : x2 + half + 4;
  const line = isInside ? `M${c(x1)} ${y}H${c(middle - half)}M${c(middle + half)} ${y}H${c(x2)}` : `M${c(x1)} ${y}H${c(x2)}`;
  const isNarrow = x2 - x1 < 20;
  return (
    <>
      <path className={styles.clear} d={`M${c(at - half)} ${y - 9}h${c(2 * half)}v18h${c(-2 * half)}z`} />
      <path className={kind === 'computed' ? styles.computedLine : styles.line} d={`M${c(x1)} ${y - 5}v10M${c(x2)} ${y - 5}v10${line}`} />
      {!isNarrow && (
        <path
          className={kind === 'computed' ? styles.computedArrow : styles.arrow}
          d={`M${c(x1)} ${y}l${HEAD * 1.6} ${-HEAD / 2}v${HEAD}zM${c(x2)} ${y}l${-HEAD * 1.6} ${-HEAD / 2}v${HEAD}z`}
        />
      )}
      <Label x={at} y={y + 4} kind={kind === 'computed' ? 'control' : 'label'} anchor="middle" isStrong={kind === 'tolerance'}>
        {text}
      </Label>
    </>
  );
}
