import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { isTyping } from '../design/page/is-typing';
import { printPage } from '../design/page/printing';

interface KeyActions {
  onPalette: () => void;
  onKeys: () => void;
  onFilter: () => void;
}

/** Sections by the letter behind `g`. */
const GO_KEYS = {
  p: '/',
  c: '/compare',
  i: '/alarms',
  m: '/measurements',
  f: '/files',
  r: '/reports',
  l: '/live',
  a: '/administration/definitions',
} as const;

/** The second letter of `g l` comes within this time, ms. */
const CHORD_MS = 1_200;

/** Listens to the keys that work on every page. */
export function useKeys(actions: KeyActions): void {
  const navigate = useNavigate();
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    let goneAt = Number.NEGATIVE_INFINITY;
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const isChord = performance.now() - goneAt < CHORD_MS;
      goneAt = Number.NEGATIVE_INFINITY;
      const section = isChord && event.key in GO_KEYS ? GO_KEYS[event.key as keyof typeof GO_KEYS] : undefined;
      if (section !== undefined) void navigate({ to: section });
      else if (event.key === 'g') goneAt = performance.now();
      else if (event.key === '/') latest.current.onFilter();
      else if (event.key === '?') latest.current.onKeys();
      else return;
      event.preventDefault();
    };
    const pressAnywhere = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      const act = { k: () => latest.current.onPalette(), p: () => void printPage() }[event.key.toLowerCase()];
      if (act === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      act();
    };
    document.addEventListener('keydown', press);
    // On the way down: some fields keep the keys that reach them.
    document.addEventListener('keydown', pressAnywhere, { capture: true });
    return () => {
      document.removeEventListener('keydown', press);
      document.removeEventListener('keydown', pressAnywhere, { capture: true });
    };
  }, [navigate]);
}
