import { useCallback } from 'react';
import { useFormats, useTexts } from '../../design/language/language';
import type { ChangeEntry } from './event-log';
import type { KnownNames } from './event-names';
import { viewOf } from './event-views';
import type { EventWords } from './event-words';
import { texts } from './texts';

const NO_WORDS: EventWords = { text: '' };

/** Returns a function that says what happened; `measurements` are what is known by now. */
export function useEventWords({ measurements }: KnownNames): (event: ChangeEntry) => EventWords {
  const t = useTexts(texts);
  const formats = useFormats();
  return useCallback((event) => viewOf(event).words?.(event.payload, { t, formats, measurements }) ?? NO_WORDS, [formats, measurements, t]);
}
