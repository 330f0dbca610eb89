import { useFormats, useTexts } from '../../design/language/language';
import styles from './live.module.css';
import { texts } from './texts';

const WIDTH = 280;
const HEIGHT = 120;
const LEFT = 28;
const BOTTOM = 20;

/** Events of each second of the last five minutes, as bars. */
export function RateChart({ rates }: { rates: readonly number[] }) {
  const t = useTexts(texts);
  const formats = useFormats();
  const most = Math.max(...rates, 0);
  const top = axisTop(most);
  const plot = HEIGHT - BOTTOM - 6;
  const y = (value: number) => 6 + plot * (1 - value / top);
  const pitch = (WIDTH - LEFT) / rates.length;
  const ticks = [0, top / 2, top].filter(Number.isInteger);
  const bars = rates.flatMap((rate, index) =>
    rate === 0
      ? []
      : [
          `M${(LEFT + index * pitch).toFixed(2)} ${y(0).toFixed(2)}V${y(rate).toFixed(2)}h${Math.max(pitch, 1).toFixed(2)}V${y(0).toFixed(2)}z`,
        ],
  );
  return (
    <svg
      className={styles.rate}
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={t.rateLabel(formats.count(rates.at(-1) ?? 0), formats.count(most))}
    >
      {ticks.map((tick) => (
        <g key={tick}>
          <path className={styles.grid} d={`M${LEFT} ${Math.round(y(tick)) + 0.5}H${WIDTH}`} />
          <text className={styles.axis} x={LEFT - 8} y={y(tick) + 4} textAnchor="end">
            {formats.count(tick)}
          </text>
        </g>
      ))}
      <path className={styles.bars} d={bars.join('')} />
      <text className={styles.axis} x={LEFT} y={HEIGHT - 4}>
        {t.fiveMinutes}
      </text>
      <text className={styles.axis} x={WIDTH} y={HEIGHT - 4} textAnchor="end">
        {t.now}
      </text>
    </svg>
  );
}

/** The least round number, 2, 4 or 10 times a power of ten, that is not below the largest rate. */
function axisTop(most: number): number {
  for (let power = 1; ; power *= 10) for (const step of [2, 4, 10]) if (step * power >= most) return step * power;
}
