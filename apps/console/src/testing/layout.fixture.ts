import { configure } from '@testing-library/react';

/** Height and width that every element of a test has, px: jsdom lays nothing out. */
const HEIGHT = 600;
const WIDTH = 1152;

class IdleResizeObserver implements ResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

/** Longest time for which a test waits for a condition, ms: the machine may be busy. */
const MAX_WAIT_MS = 30_000;

/** Gives elements a size, so that lists draw the rows that a window would show. */
export function layOut(): void {
  configure({ asyncUtilTimeout: MAX_WAIT_MS });
  window.scrollTo = () => undefined;
  globalThis.ResizeObserver ??= IdleResizeObserver;
  Object.defineProperties(Element.prototype, {
    clientHeight: { configurable: true, get: () => HEIGHT },
    clientWidth: { configurable: true, get: () => WIDTH },
    scrollTo: { configurable: true, value: () => undefined },
  });
  globalThis.CSS ??= { escape: (text: string) => text.replace(/[^\w-]/g, '\\$&') } as typeof CSS;
  if (!('createObjectURL' in URL)) Object.assign(URL, { createObjectURL: () => 'blob:test', revokeObjectURL: () => undefined });
}
