import { label } from '../drawing/lines.ts';
import { group, path, shapesOf, type Drawing } from '../drawing/shapes.ts';
import { defineTexts, textsIn, type Locale } from '../language/texts.ts';

const texts = defineTexts({
  en: {
    rateLabel: (now: string, most: string) => `Events per second in the last five minutes: ${now} now, ${most} at most.`,
    fiveMinutes: '−5 min',
    now: 'now',
  },
  de: {
    rateLabel: (now: string, most: string) => `Ereignisse je Sekunde in den letzten fünf Minuten: ${now} jetzt, höchstens ${most}.`,
    fiveMinutes: '−5 min',
    now: 'jetzt',
  },
});

const WIDTH = 280;
const HEIGHT = 120;
const LEFT = 28;
const BOTTOM = 20;

/** Events of each second of the last five minutes, as bars. */
export function rateChart({ rates }: { rates: readonly number[] }, { formats, language }: Locale): Drawing {
  const t = textsIn(texts, language);
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
  const shapes = shapesOf([
    ticks.map((tick) =>
      group([
        path('grid', `M${LEFT} ${Math.round(y(tick)) + 0.5}H${WIDTH}`),
        label({ x: LEFT - 8, y: y(tick) + 4, kind: 'axis', anchor: 'end' }, formats.count(tick)),
      ]),
    ),
    path('bars', bars.join('')),
    label({ x: LEFT, y: HEIGHT - 4, kind: 'axis' }, t.fiveMinutes),
    label({ x: WIDTH, y: HEIGHT - 4, kind: 'axis', anchor: 'end' }, t.now),
  ]);
  return { width: WIDTH, height: HEIGHT, label: t.rateLabel(formats.count(rates.at(-1) ?? 0), formats.count(most)), shapes };
}

/** The least round number, 2, 4 or 10 times a power of ten, that is not below the largest rate. */
function axisTop(most: number): number {
  for (let power = 1; ; power *= 10) for (const step of [2, 4, 10]) if (step * power >= most) return step * power;
}
