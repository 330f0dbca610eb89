import type { Language } from '@sinebar/charts';

export type Theme = 'light' | 'dark';

export interface Preferences {
  language: Language;
  theme: Theme;
  /** Width of the plan at the left, px. */
  treeWidth: number;
}

export const MIN_TREE_WIDTH = 240;
export const MAX_TREE_WIDTH = 480;

/** The nearest width that the plan may have. */
export function treeWidthWithin(width: number): number {
  return Math.round(Math.min(MAX_TREE_WIDTH, Math.max(MIN_TREE_WIDTH, width)));
}

const NAME = 'sinebar.preferences';

/** Language, theme and widths of the reader, kept in this browser; at first those of the browser. */
export class PreferenceStore {
  private readonly storage: Storage;
  private readonly watchers = new Set<() => void>();
  private current: Preferences;

  constructor(storage: Storage, initial: Partial<Preferences> = {}) {
    this.storage = storage;
    this.current = { ...preferred(), ...stored(storage), ...initial };
    this.show();
  }

  readonly snapshot = (): Preferences => this.current;

  readonly watch = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  };

  set(change: Partial<Preferences>): void {
    this.current = { ...this.current, ...change };
    this.storage.setItem(NAME, JSON.stringify(this.current));
    this.show();
    for (const watcher of this.watchers) watcher();
  }

  private show(): void {
    document.documentElement.dataset['theme'] = this.current.theme;
  }
}

function preferred(): Preferences {
  const prefersDark = typeof matchMedia === 'function' && matchMedia('(prefers-color-scheme: dark)').matches;
  return { language: navigator.language.startsWith('de') ? 'de' : 'en', theme: prefersDark ? 'dark' : 'light', treeWidth: MIN_TREE_WIDTH };
}

function stored(storage: Storage): Partial<Preferences> {
  try {
    const { language, theme, treeWidth } = JSON.parse(storage.getItem(NAME) ?? '{}') as Partial<Preferences>;
    return {
      ...((language === 'en' || language === 'de') && { language }),
      ...((theme === 'light' || theme === 'dark') && { theme }),
      ...(typeof treeWidth === 'number' && Number.isFinite(treeWidth) && { treeWidth: treeWidthWithin(treeWidth) }),
    };
  } catch {
    // Another program wrote something else under this name.
    return {};
  }
}
