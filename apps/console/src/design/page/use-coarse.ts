import { useSyncExternalStore } from 'react';

/** Rows that are pressed with a thumb are this high, px; the style sheets say the same. */
export const THUMB = 44;
const COARSE = '(max-width: 599px), (pointer: coarse)';

/** Whether the page is used with a thumb: on a phone, or by touch. */
export function useCoarse(): boolean {
  return useSyncExternalStore(watch, () => typeof matchMedia === 'function' && matchMedia(COARSE).matches);
}

function watch(onChange: () => void): () => void {
  const query = typeof matchMedia === 'function' ? matchMedia(COARSE) : undefined;
  query?.addEventListener('change', onChange);
  return () => query?.removeEventListener('change', onChange);
}
