import { SinebarClient } from '@sinebar/client';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { LanguageProvider } from './design/language/language';
import './design/styles/tokens.css';
import './design/styles/base.css';
import { makeRouter } from './routes';
import { ServerProvider } from './server/server';

/** Address of the console: the built file lies in its folder `assets`. */
const consoleUrl = import.meta.env.DEV ? new URL('/console/', location.href) : new URL('..', import.meta.url);
const client = new SinebarClient({ url: new URL('..', consoleUrl).href });
const router = makeRouter({ basepath: consoleUrl.pathname });
const element = document.getElementById('console');
if (element === null) throw new Error('The page has no element "console".');

createRoot(element).render(
  <StrictMode>
    <LanguageProvider language="en">
      <QueryClientProvider client={new QueryClient()}>
        <ServerProvider client={client}>
          <RouterProvider router={router} />
        </ServerProvider>
      </QueryClientProvider>
    </LanguageProvider>
  </StrictMode>,
);
