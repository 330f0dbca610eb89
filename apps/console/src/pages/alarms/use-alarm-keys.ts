import { useEffect, useRef, type RefObject } from 'react';
import { isTyping } from '../../design/page/is-typing';

/** Keys of the inbox, besides those of its table. */
export interface AlarmKeys {
  acknowledge: () => void;
  close: () => void;
  /** Chooses nothing. */
  clear: () => void;
}

/** Time within which a letter behind `g` opens a section instead, ms. */
const CHORD_MS = 1_200;
/** Keys that belong to the table, wherever the focus is. */
const TABLE_KEYS = new Set(['j', 'k', 'x']);

/** Listens to the keys of the inbox wherever nothing is being typed. */
export function useAlarmKeys(table: RefObject<HTMLTableElement | null>, keys: AlarmKeys): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    let goneAt = Number.NEGATIVE_INFINITY;
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const key = event.key.toLowerCase();
      const isChord = performance.now() - goneAt < CHORD_MS;
      goneAt = key === 'g' && !isChord ? performance.now() : Number.NEGATIVE_INFINITY;
      if (isChord) return;
      if (TABLE_KEYS.has(key) && event.target !== table.current && table.current !== null) {
        // The table moves as if it had the focus already, which screen readers then follow.
        table.current.focus();
        table.current.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey: event.shiftKey, bubbles: true }));
      } else if (key === 'a') latest.current.acknowledge();
      else if (key === 'c') latest.current.close();
      else if (key === 'escape') latest.current.clear();
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [table]);
}
