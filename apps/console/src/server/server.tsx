import type { SinebarClient } from '@sinebar/client';
import { createContext, useContext, type ReactNode } from 'react';

const ServerContext = createContext<SinebarClient | undefined>(undefined);

/** Gives everything below it the client of the server. */
export function ServerProvider({ client, children }: { client: SinebarClient; children: ReactNode }) {
  return <ServerContext value={client}>{children}</ServerContext>;
}

/** Returns the client of the server, signed in as the reader. */
export function useServer(): SinebarClient {
  const client = useContext(ServerContext);
  if (client === undefined) throw new Error('useServer is used outside of ServerProvider.');
  return client;
}
