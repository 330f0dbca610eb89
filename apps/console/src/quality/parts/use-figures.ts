import { shownDecimals } from '@sinebar/charts';
import type { PartOverview } from '@sinebar/client';
import { useFormats, useTexts } from '../../design/language/language';
import { sinceText } from '../values/process';
import { processTexts } from '../values/process-texts';
import { toleranceText } from '../values/tolerance-text';
import { texts } from './texts';

type Characteristic = PartOverview['characteristics'][number];

/** Writes figures of a characteristic with its digits. */
export function useFigures() {
  const t = useTexts(texts);
  const words = useTexts(processTexts);
  const formats = useFormats();
  const { number } = formats;
  const decimals = ({ limits: { sources: _, ...limits }, last, sparkline }: Characteristic) =>
    shownDecimals({ limits, values: [last?.value, ...sparkline] });
  return {
    /** The newest value. */
    value: (each: Characteristic): string => (each.last === undefined ? '' : number(each.last.value, decimals(each))),
    /** How far the newest value is beyond its tolerance, or what its status is. */
    distance: (each: Characteristic): string => {
      const { last, limits, now } = each;
      if (last?.status === 'aboveTolerance' && limits.upperTolerance !== undefined)
        return t.above(number(last.value - limits.upperTolerance, decimals(each)));
      if (last?.status === 'belowTolerance' && limits.lowerTolerance !== undefined)
        return t.below(number(limits.lowerTolerance - last.value, decimals(each)));
      if (now === 'noLimits') return t.withoutLimits;
      return last?.status === 'inWarning' ? t.warned : t.inLimits;
    },
    /** Since when the process is not stable, and how; absent where it is. */
    since: (each: Characteristic): string | undefined => each.since && sinceText(each.since, decimals(each), formats, words),
    /** The tolerance: `±0.050`, or its bounds. */
    tolerance: (each: Characteristic): string => toleranceText(each.limits, decimals(each), formats),
  };
}
