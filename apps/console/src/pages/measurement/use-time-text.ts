import type { Measurement } from '@sinebar/client';
import { useCallback } from 'react';
import { useFormats } from '../../design/language/language';
import { TIME_KEY } from '../../quality/values/measurement-values';

/** Returns a function that says the time of a measurement; `undefined` without one. */
export function useTimeText(): (measurement: Pick<Measurement, 'attributes'>) => string | undefined {
  const formats = useFormats();
  return useCallback(
    ({ attributes }) => {
      const time = attributes[TIME_KEY];
      return time === undefined || Number.isNaN(Date.parse(time)) ? time : formats.dateTime(time);
    },
    [formats],
  );
}
