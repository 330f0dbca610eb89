import type { Permissions } from '@sinebar/client';
import { createContext, useContext, useSyncExternalStore, type ReactNode } from 'react';
import type { Session, SessionState } from './session';

const SessionContext = createContext<Session | undefined>(undefined);

export function SessionProvider({ session, children }: { session: Session; children: ReactNode }) {
  return <SessionContext value={session}>{children}</SessionContext>;
}

export function useSession(): { session: Session; state: SessionState } {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('useSession is used outside of SessionProvider.');
  return { session, state: useSyncExternalStore(session.subscribe, session.snapshot) };
}

/** Returns what the reader may do; nothing while nobody has signed in. */
function usePermissions(): Permissions | undefined {
  const { state } = useSession();
  return state.step === 'signed-in' ? state.permissions : undefined;
}

/** Whether the reader has a right on a part, given by its path without type marker: `/Car door/Frame`. */
export function useMay(right: keyof Permissions['partRights'], partPath = '/'): boolean {
  const permissions = usePermissions();
  if (permissions === undefined) return false;
  const place = foldedPath(partPath);
  return permissions.partRights[right].some((path) => place.startsWith(foldedPath(path)));
}

/** Whether the reader has a right that holds for the whole server. */
export function useMayOnServer(right: Permissions['serverRights'][number]): boolean {
  return usePermissions()?.serverRights.includes(right) ?? false;
}

/** Paths match in any case, with or without a slash at their end. */
function foldedPath(path: string): string {
  return `${path.replace(/\/+$/, '')}/`.toLowerCase();
}
