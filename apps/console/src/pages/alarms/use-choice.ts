import { useMemo } from 'react';
import { OPEN_ALARM_STATES } from '@sinebar/client';
import { SPANS, type AlarmsAddress } from './search';
import type { AlarmChoice } from './use-alarms';

const HOUR_MS = 3_600_000;
/** Beginnings of stretches are cut to this, so that the same view asks the same, ms. */
const STEP_MS = 60_000;

/** Makes the parameters of the request that follow from the address of the inbox. */
export function useChoice({ state = 'open', kind, below, within, from, to, told = 'told' }: Partial<AlarmsAddress>): AlarmChoice {
  return useMemo(() => {
    // oxlint-disable-next-line react/purity -- a stretch up to the time at which it is chosen
    const begin = within && new Date(Math.floor((Date.now() - SPANS[within] * HOUR_MS) / STEP_MS) * STEP_MS).toISOString();
    const since = begin ?? from;
    return {
      ...(state !== 'all' && { state: state === 'open' ? OPEN_ALARM_STATES : [state] }),
      ...(kind && { kind }),
      ...(below !== undefined && { partPath: below }),
      ...(since !== undefined && { from: since }),
      ...(within === undefined && to !== undefined && { to }),
      ...(told !== 'all' && { told: told === 'told' }),
    };
  }, [state, kind, below, within, from, to, told]);
}
