import { useEffect, useState } from 'react';

/**
 * Counts through screens.
 * @param count of the screens
 * @param seconds for which each stays
 */
export function useTurns(
  count: number,
  seconds: number,
): { shown: number; isTurning: boolean; turn: (isOn: boolean) => void; next: () => void } {
  const [turns, setTurns] = useState(0);
  const [isTurning, setTurning] = useState(true);
  useEffect(() => {
    if (!isTurning || count < 2) return undefined;
    const timer = setTimeout(() => setTurns(turns + 1), seconds * 1000);
    return () => clearTimeout(timer);
  }, [turns, isTurning, count, seconds]);
  return { shown: count === 0 ? 0 : turns % count, isTurning, turn: setTurning, next: () => setTurns(turns + 1) };
}
