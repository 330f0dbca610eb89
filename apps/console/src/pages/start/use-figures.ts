import type { PartOverview } from '@sinebar/client';
import { decimalsOf } from '../../design/language/digits';
import { useFormats, useTexts } from '../../design/language/language';
import { texts } from './texts';

type Characteristic = PartOverview['characteristics'][number];

/** Writes figures of a characteristic with the digits that it was measured with. */
export function useFigures() {
  const t = useTexts(texts);
  const { number } = useFormats();
  const decimals = ({ limits, last, sparkline }: Characteristic) =>
    decimalsOf([limits.nominal, limits.lowerTolerance, limits.upperTolerance, last?.value, ...sparkline]);
  return {
    /** The newest value. */
    value: (each: Characteristic): string => (each.last === undefined ? '' : number(each.last.value, decimals(each))),
    /** How far the newest value is beyond its tolerance, or what its status is. */
    distance: (each: Characteristic): string => {
      const { last, limits } = each;
      if (last?.status === 'aboveTolerance' && limits.upperTolerance !== undefined)
        return t.above(number(last.value - limits.upperTolerance, decimals(each)));
      if (last?.status === 'belowTolerance' && limits.lowerTolerance !== undefined)
        return t.below(number(limits.lowerTolerance - last.value, decimals(each)));
      return last?.status === 'inWarning' ? t.warned : t.inLimits;
    },
    /** The tolerance: `±0.050`, or its bounds. */
    tolerance: (each: Characteristic): string => {
      const { nominal, lowerTolerance, upperTolerance } = each.limits;
      const places = decimals(each);
      if (nominal !== undefined && lowerTolerance !== undefined && upperTolerance !== undefined) {
        const above = number(upperTolerance - nominal, places);
        if (above === number(nominal - lowerTolerance, places)) return `±${above}`;
      }
      if (lowerTolerance !== undefined && upperTolerance !== undefined)
        return `${number(lowerTolerance, places)} … ${number(upperTolerance, places)}`;
      if (upperTolerance !== undefined) return `≤ ${number(upperTolerance, places)}`;
      return lowerTolerance === undefined ? '' : `≥ ${number(lowerTolerance, places)}`;
    },
  };
}
