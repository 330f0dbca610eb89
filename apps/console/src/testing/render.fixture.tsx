import type { Language } from '@sinebar/charts';
import { SinebarClient } from '@sinebar/client';
import { QueryClient } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider, type AnyRouter } from '@tanstack/react-router';
import { act, render, type RenderResult } from '@testing-library/react';
import type { ReactNode } from 'react';
import { makeRouter } from '../routes';
import { LiveEvents } from '../server/live/live-events';
import { Session } from '../server/session/session';
import { ConsoleContext } from '../shell/console';
import { PreferenceStore } from '../shell/preferences';
import { FakeServer } from './fake-server.fixture';

export interface RenderOptions {
  server?: FakeServer;
  language?: Language;
  live?: LiveEvents;
}

/** A rendered page that a test reads and acts on. */
export interface Rendered extends RenderResult {
  server: FakeServer;
  queries: QueryClient;
  session: Session;
  live: LiveEvents;
}

/** Renders a component as a page would: with language, server, queries, and a router without other pages. */
export async function renderComponent(component: ReactNode, options: RenderOptions = {}): Promise<Rendered & { router: AnyRouter }> {
  const router = createRouter({
    routeTree: createRootRoute({ component: () => component }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  });
  await router.load();
  return { ...renderWith(<RouterProvider router={router as never} />, options), router };
}

/** Renders the whole console at an address, such as `/parts/0f3e…?sort=name`, signed in as the fake server says. */
export async function renderPage(address: string, options: RenderOptions = {}): Promise<Rendered & { router: AnyRouter }> {
  const router = makeRouter({ history: createMemoryHistory({ initialEntries: [address] }) });
  await router.load();
  const rendered = renderWith(<RouterProvider router={router} />, options);
  if (rendered.server.knows('GET /dataServiceRest/permissions')) await act(() => rendered.session.begin());
  return { ...rendered, router };
}

function renderWith(children: ReactNode, { server = new FakeServer(), language = 'en', live: given }: RenderOptions): Rendered {
  const url = 'http://sinebar.test';
  const client = new SinebarClient({ url, fetch: server.fetch });
  // A failed read is not repeated: tests see the failure at once.
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, gcTime: Number.POSITIVE_INFINITY } } });
  const session = new Session({ serverUrl: url, consoleUrl: `${url}/console/`, send: server.fetch });
  const live = given ?? new LiveEvents(client);
  const view = render(
    <ConsoleContext
      session={session}
      client={client}
      live={live}
      queries={queries}
      preferences={new PreferenceStore(localStorage, { language, theme: 'light' })}
    >
      {children}
    </ConsoleContext>,
  );
  return { ...view, server, queries, session, live };
}
