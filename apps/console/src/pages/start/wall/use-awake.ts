import { useEffect } from 'react';

/** Keeps the display on while the page is visible, in browsers that can (Screen Wake Lock). */
export function useAwake(): void {
  useEffect(() => {
    if (!('wakeLock' in navigator)) return undefined;
    let held: WakeLockSentinel | undefined;
    let isLeft = false;
    // The browser takes the lock back whenever the page is hidden.
    const hold = async () => {
      if (document.visibilityState !== 'visible') return;
      // Refused on low battery: the display then follows the settings of the device.
      const lock = await navigator.wakeLock.request('screen').catch(() => undefined);
      if (isLeft) void lock?.release();
      else held = lock;
    };
    const onVisible = () => void hold();
    onVisible();
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      isLeft = true;
      document.removeEventListener('visibilitychange', onVisible);
      void held?.release();
    };
  }, []);
}
