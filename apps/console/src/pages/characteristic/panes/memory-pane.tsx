import { type Labels, type MemoryChartAnswer, shownMemory, type ViewTimes } from '@sinebar/charts';
import { useMemo } from 'react';
import { Memory } from '../../../charts/control/control-charts';
import { useFormats, useTexts } from '../../../design/language/language';
import { PaneHead } from '../../../design/page/pane-head';
import { texts } from '../texts';
import type { CharacteristicData } from '../use-characteristic';

/** Name and settings of an EWMA or CUSUM chart. */
export function MemoryHead({ memory, subgroups }: { memory: MemoryChartAnswer; subgroups: string }) {
  const formats = useFormats();
  const t = useTexts(texts);
  const { type, lambda = 0, width = 0, k = 0, h = 0, points } = memory;
  const settings =
    type === 'ewma' ? t.ewmaSettings(formats.number(lambda), formats.number(width)) : t.cusumSettings(formats.number(k), formats.number(h));
  return <PaneHead name={t[`chart_${type}`]} note={t.memoryNote(subgroups, settings, formats.count(points.length))} />;
}

interface MemoryPaneProps {
  memory: MemoryChartAnswer;
  data: CharacteristicData;
  name: string;
  /** The stretch in view. */
  times: ViewTimes;
  /** Width of the plot without axis and labels, px. */
  plot: number;
  height: number;
  labels: Labels;
}

/** The chart that remembers earlier points. */
export function MemoryPane({ memory, data, name, times: { from, to }, ...drawn }: MemoryPaneProps) {
  const series = data.shown.data;
  const shown = useMemo(
    () => shownMemory(memory, { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }, series),
    [memory, from, to, series],
  );
  return <Memory name={name} shown={shown} decimals={data.decimals} {...drawn} />;
}
