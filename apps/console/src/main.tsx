import { SinebarClient, SinebarError } from '@sinebar/client';
import { QueryClient } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import icon from './design/styles/icon.svg';
import './design/styles/tokens.css';
import './design/styles/base.css';
import './design/styles/print.css';
import { makeRouter } from './routes';
import { LiveEvents } from './server/live/live-events';
import { isArrival, Session } from './server/session/session';
import { Console } from './shell/console';
import { PreferenceStore } from './shell/preferences';
import { isReachable, reloadAfterUpdate } from './shell/update';

/** Longest pause between two attempts to reach a lost server, ms. */
const MAX_PAUSE_MS = 5_000;

/** Address of the console: the built script lies in its folder `assets`. */
const consoleUrl = import.meta.env.DEV ? new URL('/console/', location.href) : new URL(/* @vite-ignore */ '..', import.meta.url);
const serverUrl = new URL('..', consoleUrl).href.replace(/\/$/, '');
const send: typeof fetch = (input, init) => fetch(input, { ...init, credentials: 'omit' });

const session = new Session({ serverUrl, consoleUrl: consoleUrl.href, send });
const client = new SinebarClient({ url: serverUrl, credentials: session.credentialsFor, fetch: send });
const queries = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'always',
      staleTime: 10_000,
      // A lost server is asked until it is back; a refusal stays a refusal.
      retry: (_attempt, error) => error instanceof SinebarError && error.status === 0,
      retryDelay: (attempt) => Math.min(1_000 * 2 ** attempt, MAX_PAUSE_MS),
    },
    mutations: { networkMode: 'always' },
  },
});

addEventListener('vite:preloadError', () => {
  // A page that is loaded again while its server is lost is lost too.
  void isReachable().then((isThere) => isThere && reloadAfterUpdate(sessionStorage, () => location.reload()));
});

const address = new URL(location.href);
const router = makeRouter({ basepath: consoleUrl.pathname });
// The page is fetched while the server is asked for the rights.
if (!isArrival(address)) void router.load();
const { returnTo } = await session.begin(isArrival(address) ? address : undefined);
if (isArrival(address)) history.replaceState(null, '', returnTo ?? consoleUrl);

// Browsers read a relative address of the icon again for every view, so it is absolute.
document
  .querySelector('link[rel="icon"]')
  ?.replaceWith(
    Object.assign(document.createElement('link'), { rel: 'icon', type: 'image/svg+xml', href: new URL(icon, import.meta.url).href }),
  );

const element = document.getElementById('console');
if (element === null) throw new Error('The page has no element "console".');
createRoot(element).render(
  <StrictMode>
    <Console
      session={session}
      client={client}
      live={new LiveEvents(client)}
      queries={queries}
      preferences={new PreferenceStore(localStorage)}
      router={router}
    />
  </StrictMode>,
);
