import { afterEach } from '@jest/globals';
import { SinebarClient } from '@sinebar/client';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { cleanup, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { LanguageProvider, type Language } from '../design/language/language';
import { makeRouter } from '../routes';
import { ServerProvider } from '../server/server';
import { FakeServer } from './fake-server.fixture';

export interface RenderOptions {
  server?: FakeServer;
  language?: Language;
}

afterEach(cleanup);

/** Renders a component as a page would: with language, server, queries, and a router without other pages. */
export async function renderComponent(component: ReactNode, options: RenderOptions = {}) {
  const router = createRouter({
    routeTree: createRootRoute({ component: () => component }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  });
  await router.load();
  return { ...renderWith(<RouterProvider router={router as never} />, options), router };
}

/** Renders the whole console at an address, such as `/parts/0f3e…?sort=name`. */
export async function renderPage(address: string, options: RenderOptions = {}) {
  const router = makeRouter({ history: createMemoryHistory({ initialEntries: [address] }) });
  await router.load();
  return { ...renderWith(<RouterProvider router={router} />, options), router };
}

function renderWith(children: ReactNode, { server = new FakeServer(), language = 'en' }: RenderOptions) {
  const client = new SinebarClient({ url: 'http://sinebar.test', fetch: server.fetch });
  // A failed read is not repeated: tests see the failure at once.
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, gcTime: Number.POSITIVE_INFINITY } } });
  const view = render(
    <LanguageProvider language={language}>
      <QueryClientProvider client={queries}>
        <ServerProvider client={client}>{children}</ServerProvider>
      </QueryClientProvider>
    </LanguageProvider>,
  );
  return { ...view, server, queries };
}
