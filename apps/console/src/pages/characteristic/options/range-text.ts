import { useFormats, useTexts } from '../../../design/language/language';
import type { CharacteristicSearch } from '../search';
import { texts } from './texts';

/** Names a stretch of time that is open at one end at most: `2 Mar to 9 Mar`, `since 2 Mar`. */
export function useSpanText(): (from: string | undefined, to: string | undefined) => string {
  const formats = useFormats();
  const t = useTexts(texts);
  return (from, to) => {
    if (from !== undefined && to !== undefined) return t.fromTo(formats.day(from), formats.day(to));
    return from === undefined ? t.until(formats.day(to!)) : t.since(formats.day(from));
  };
}

/** Says which values are shown: all, the newest, or those of a time. */
export function useRangeText(): (search: CharacteristicSearch, count: number) => string {
  const formats = useFormats();
  const t = useTexts(texts);
  const spanText = useSpanText();
  return ({ from, to, newest }, count) => {
    const span = from === undefined && to === undefined ? undefined : spanText(from, to);
    if (newest !== undefined) return [t.newestValues(formats.count(newest)), span].filter((part) => part !== undefined).join(', ');
    return span ?? t.allValues(formats.count(count));
  };
}
