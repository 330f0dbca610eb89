import type { Permissions } from '@sinebar/client';
import { createContext, useCallback, useContext, useSyncExternalStore, type ReactNode } from 'react';
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

/** Returns what the reader may do; nothing before somebody has signed in. While a page asks for other credentials its rights stay. */
function usePermissions(): Permissions | undefined {
  const { state } = useSession();
  return 'permissions' in state ? state.permissions : undefined;
}

/** Returns the name of the reader; empty without sign-in. */
export function useUserName(): string {
  return usePermissions()?.userName ?? '';
}

/** A right on parts. */
export type PartRight = keyof Permissions['partRights'];

/** Returns a function that says whether the reader has a right on a part, given by its path without type marker: `/Car door/Frame`. */
export function useRights(): (right: PartRight, partPath: string) => boolean {
  const permissions = usePermissions();
  return useCallback(
    (right, partPath) => {
      const folded = foldedPath(partPath);
      return (permissions?.partRights[right] ?? []).some((path) => folded.startsWith(foldedPath(path)));
    },
    [permissions],
  );
}

/** Whether the reader has a right on a part; not while its path is not known. */
export function useMay(right: PartRight, partPath: string | undefined): boolean {
  const may = useRights();
  return partPath !== undefined && may(right, partPath);
}

/** Whether the reader has a right on any part. */
export function useRightSomewhere(right: PartRight): boolean {
  return (usePermissions()?.partRights[right] ?? []).length > 0;
}

/** Whether the reader has a right that holds for the whole server. */
export function useMayOnServer(right: Permissions['serverRights'][number]): boolean {
  return usePermissions()?.serverRights.includes(right) ?? false;
}

/** Paths match in any case, with `ß` as `ss`, with or without a slash at their end. */
function foldedPath(path: string): string {
  return `${path.replace(/\/+$/, '')}/`.toLowerCase().replaceAll('ß', 'ss');
}
