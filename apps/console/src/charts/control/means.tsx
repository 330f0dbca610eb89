import type { ReactNode } from 'react';
import { useFormats, useTexts } from '../../design/language/language';
import { linearScale } from '../drawing/scale';
import { texts } from '../texts';
import { Density, isDense, Points, Rings } from './measured';
import type { Ruler } from './ruler';
import { AXIS_WIDTH, RulerPane } from './ruler-pane';
import type { ShownSeries } from './shown-series';
import { TimeAxis, ticksOfSeries } from './time-axis';

export interface MeansProps {
  name: string;
  shown: ShownSeries;
  ruler: Ruler;
  size: number;
  plot: number;
  height: number;
  children?: (x: (position: number) => number) => ReactNode;
}

/** Means of subgroups with their control limits. */
export function Means({ name, shown, ruler, size, plot, height, children }: MeansProps) {
  const formats = useFormats();
  const t = useTexts(texts);
  const x = linearScale([0, shown.count], [AXIS_WIDTH, AXIS_WIDTH + plot]);
  const dense = isDense(shown, plot);
  return (
    <RulerPane
      ruler={ruler}
      plot={plot}
      height={height}
      label={t.meansLabel(formats.count(shown.count), formats.count(size), name)}
      hasAxis
      labels="full"
      under={() => (
        <>
          <TimeAxis ticks={ticksOfSeries(shown, plot)} x={x} top={ruler.top} bottom={ruler.bottom} isWritten={false} />
          {dense && <Density entries={shown.entries} left={AXIS_WIDTH} width={plot} y={ruler.clipped} />}
        </>
      )}
      over={() => (
        <>
          {!dense && <Points entries={shown.entries} x={x} y={ruler.clipped} radius={1.9} />}
          {!dense && (
            <Rings
              hits={shown.hits.filter(({ rule }) => rule.endsWith('1'))}
              valueAt={(position) => shown.entries[Math.floor(position)]?.mean}
              x={x}
              y={ruler.clipped}
              size={11}
            />
          )}
          {children?.(x)}
        </>
      )}
    />
  );
}
