import { EVERYONE, PathScope, type Principal } from '@sinebar/access-control';
import { closeHttpServer, createHttpApp, createHttpServer, listen, type Route } from '@sinebar/http';
import { type Logger } from '@sinebar/runtime';

/** Routes at an address of their own, for callers that the benchmark chooses. */
export interface RestrictedServer {
  url: string;
  /** Restricts later requests to the subtree with this stored path; `undefined` allows everything. */
  restrictTo: (prefix: string | undefined) => void;
  stop: () => Promise<void>;
}

/** @param close closes the dependencies of the routes after the last request */
export async function startRestrictedServer(routes: readonly Route[], log: Logger, close: () => Promise<void>): Promise<RestrictedServer> {
  let principal: Principal = EVERYONE;
  const server = createHttpServer(createHttpApp({ routes, log, authenticate: () => Promise.resolve(principal) }));
  const port = await listen(server, 0, '127.0.0.1');
  return {
    url: `http://127.0.0.1:${port}`,
    restrictTo: (prefix) => {
      principal =
        prefix === undefined ? EVERYONE : { name: 'bench', rightsKey: prefix, scopeOf: () => PathScope.below(prefix), holds: () => false };
    },
    stop: async () => {
      await closeHttpServer(server, 1000);
      await close();
    },
  };
}
