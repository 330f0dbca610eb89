import { createContext, useContext, useSyncExternalStore, type ReactNode } from 'react';
import type { Preferences, PreferenceStore } from './preferences';

const PreferenceContext = createContext<PreferenceStore | undefined>(undefined);

export function PreferenceProvider({ preferences, children }: { preferences: PreferenceStore; children: ReactNode }) {
  return <PreferenceContext value={preferences}>{children}</PreferenceContext>;
}

/** Returns language and theme, and how to change them. */
export function usePreferences(): Preferences & { set: (change: Partial<Preferences>) => void } {
  const store = useContext(PreferenceContext);
  if (store === undefined) throw new Error('usePreferences is used outside of PreferenceProvider.');
  return { ...useSyncExternalStore(store.watch, store.snapshot), set: (change) => store.set(change) };
}
