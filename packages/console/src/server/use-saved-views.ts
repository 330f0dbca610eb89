import { useSyncExternalStore } from 'react';

/** A view that the reader has named. */
export interface SavedView {
  name: string;
  /** Address on this server, with everything that defines the view. */
  address: string;
}

const NAME = 'sinebar.views';
const NONE: readonly SavedView[] = [];
const watchers = new Set<() => void>();
let read: { text: string; views: readonly SavedView[] } = { text: '', views: NONE };

/** Returns the views that are kept in this browser, and how to change them. */
export function useSavedViews(): { views: readonly SavedView[]; save: (view: SavedView) => void; remove: (name: string) => void } {
  const views = useSyncExternalStore(watch, stored);
  return {
    views,
    save: (view) => store([...stored().filter(({ name }) => name !== view.name), view]),
    remove: (removed) => store(stored().filter(({ name }) => name !== removed)),
  };
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  // Another window of the same browser may change them.
  addEventListener('storage', watcher);
  return () => {
    watchers.delete(watcher);
    removeEventListener('storage', watcher);
  };
}

function stored(): readonly SavedView[] {
  const text = localStorage.getItem(NAME) ?? '';
  if (text !== read.text) read = { text, views: parsed(text) };
  return read.views;
}

function parsed(text: string): readonly SavedView[] {
  try {
    const views: unknown = JSON.parse(text);
    return Array.isArray(views) ? views.filter(isView) : NONE;
  } catch {
    return NONE;
  }
}

/** Views are addresses of this server: another program must not place others here. */
function isView(view: unknown): view is SavedView {
  if (typeof view !== 'object' || view === null || !('name' in view) || !('address' in view)) return false;
  const { name, address } = view;
  return typeof name === 'string' && typeof address === 'string' && /^\/(?!\/)/.test(address);
}

function store(views: readonly SavedView[]): void {
  localStorage.setItem(NAME, JSON.stringify(views));
  for (const watcher of watchers) watcher();
}
