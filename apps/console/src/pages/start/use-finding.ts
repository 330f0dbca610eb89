import type { PartChildren } from '@sinebar/client';
import { useFormats, useTexts } from '../../design/language/language';
import { findingOf } from './finding';
import { texts } from './texts';

/** Says how many characteristics of parts are out of tolerance, in a sentence, and what else is to be known about the others. */
export function useFinding(parts: PartChildren['children']): { sentence: string; rest: string[] } {
  const t = useTexts(texts);
  const formats = useFormats();
  const { counts, all } = findingOf(parts);
  const { outOfTolerance, inWarning, inLimits, noLimits, noData } = counts;
  const count = formats.count(all);
  const sentence = () => {
    if (outOfTolerance === 1) return t.oneOut(count);
    if (outOfTolerance > 1) return t.someOut(formats.count(outOfTolerance), count);
    if (inWarning === 1) return t.oneWarned(count);
    if (inWarning > 1) return t.someWarned(formats.count(inWarning), count);
    if (inLimits > 0) return noLimits > 0 ? t.allJudgedIn(formats.count(inLimits)) : t.allIn(formats.count(inLimits));
    if (all === 0) return t.noCharacteristics;
    return noLimits > 0 ? t.noneJudged : t.noneMeasured(count);
  };
  return {
    sentence: sentence(),
    rest: [
      ...(outOfTolerance > 0 && inWarning > 0 ? [t.moreWarned(formats.count(inWarning))] : []),
      ...(noLimits > 0 ? [t.noLimits(formats.count(noLimits))] : []),
      ...(noData > 0 ? [t.noData(formats.count(noData))] : []),
    ],
  };
}
