import { useRouter } from '@tanstack/react-router';
import { useMemo, useSyncExternalStore } from 'react';

/** A view that the reader has named. */
export interface SavedView {
  name: string;
  /** Address on this server, with everything that defines the view. */
  address: string;
}

const NAME = 'sinebar.views';
const NONE: readonly SavedView[] = [];
const watchers = new Set<() => void>();

/** Returns the views of this plant that are kept in this browser, and how to change them. */
export function useSavedViews(): { views: readonly SavedView[]; save: (view: SavedView) => void; remove: (name: string) => void } {
  const { basepath } = useRouter();
  const kept = useMemo(() => new KeptViews(basepath), [basepath]);
  return {
    views: useSyncExternalStore(watch, kept.read),
    save: (view) => kept.write([...kept.read().filter(({ name }) => name !== view.name), view]),
    remove: (removed) => kept.write(kept.read().filter(({ name }) => name !== removed)),
  };
}

/** Returns the path of the plant of a console: `/north` of `/north/console/`. */
export function plantPath(basepath: string): string {
  return basepath.replace(/\/?(?:console)?\/?$/, '');
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

/** The views of one plant: plants behind one proxy share the storage of their origin, and differ by the path of their consoles. */
class KeptViews {
  private readonly plant: string;
  private readonly key: string;
  private last: { text: string; views: readonly SavedView[] } = { text: '', views: NONE };

  /** @param basepath path of the console, such as `/north/console/` */
  constructor(basepath: string) {
    this.plant = plantPath(basepath);
    this.key = this.plant === '' ? NAME : `${NAME}:${this.plant}`;
  }

  /** Returns the same list until the storage changes. */
  readonly read = (): readonly SavedView[] => {
    // All plants once shared one key: each still finds its own views there until it changes them.
    const text = localStorage.getItem(this.key) ?? localStorage.getItem(NAME) ?? '';
    if (text !== this.last.text) this.last = { text, views: this.parsed(text) };
    return this.last.views;
  };

  write(views: readonly SavedView[]): void {
    localStorage.setItem(this.key, JSON.stringify(views));
    for (const watcher of watchers) watcher();
  }

  private parsed(text: string): readonly SavedView[] {
    try {
      const views: unknown = JSON.parse(text);
      return Array.isArray(views) ? views.filter((view) => this.isView(view)) : NONE;
    } catch {
      return NONE;
    }
  }

  /** Views are addresses of this plant: another program must not place others here. */
  private isView(view: unknown): view is SavedView {
    if (typeof view !== 'object' || view === null || !('name' in view) || !('address' in view)) return false;
    const { name, address } = view;
    return typeof name === 'string' && typeof address === 'string' && /^\/(?!\/)/.test(address) && address.startsWith(`${this.plant}/`);
  }
}
