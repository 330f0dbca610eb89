import type { SinebarClient } from '@sinebar/client';
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';
import { LanguageProvider } from '../design/language/language';
import { ProgramSignInContext } from '../design/program/sign-in-context';
import type { LiveEvents } from '../server/live/live-events';
import { LiveProvider } from '../server/live/use-live';
import { ServerProvider } from '../server/server';
import type { Session } from '../server/session/session';
import { SessionProvider, useSession } from '../server/session/use-session';
import type { PreferenceStore } from './preferences';
import { SignInDialog, SignInPage } from './sign-in/sign-in';
import { PreferenceProvider, usePreferences } from './use-preferences';

export interface ConsoleProps {
  session: Session;
  client: SinebarClient;
  live: LiveEvents;
  queries: QueryClient;
  preferences: PreferenceStore;
  router: Parameters<typeof RouterProvider>[0]['router'];
}

/** The whole console: first the sign-in, then the pages. */
export function Console({ router, ...context }: ConsoleProps) {
  return (
    <ConsoleContext {...context}>
      <Gate live={context.live}>
        <RouterProvider router={router} />
      </Gate>
    </ConsoleContext>
  );
}

/** Gives everything below it language, theme, session, server, events and queries. */
export function ConsoleContext({
  session,
  client,
  live,
  queries,
  preferences,
  children,
}: Omit<ConsoleProps, 'router'> & { children: ReactNode }) {
  return (
    <PreferenceProvider preferences={preferences}>
      <ReadersLanguage>
        <SessionProvider session={session}>
          <ServerProvider client={client}>
            <LiveProvider live={live}>
              <QueryClientProvider client={queries}>
                <ProgramsSignIn>{children}</ProgramsSignIn>
              </QueryClientProvider>
            </LiveProvider>
          </ServerProvider>
        </SessionProvider>
      </ReadersLanguage>
    </PreferenceProvider>
  );
}

const PROGRAM_SIGN_INS = { none: 'none', basic: 'basic', openId: 'token' } as const;

/** Writes programs that sign in as the reader has. */
function ProgramsSignIn({ children }: { children: ReactNode }) {
  const { state } = useSession();
  return <ProgramSignInContext value={state.step === 'signed-in' ? PROGRAM_SIGN_INS[state.way] : 'none'}>{children}</ProgramSignInContext>;
}

function ReadersLanguage({ children }: { children: ReactNode }) {
  return <LanguageProvider language={usePreferences().language}>{children}</LanguageProvider>;
}

/** Shows the pages once the reader has signed in; when credentials are refused later, the page stays behind the question for others. */
function Gate({ live, children }: { live: LiveEvents; children: ReactNode }) {
  const { state } = useSession();
  const isIn = state.step === 'signed-in' || (state.step === 'signed-out' && state.permissions !== undefined);
  useEffect(() => {
    if (!isIn) return undefined;
    live.start();
    return () => void live.stop();
  }, [isIn, live]);
  if (!isIn) return <SignInPage />;
  return (
    <>
      {children}
      {state.step === 'signed-out' && <SignInDialog />}
    </>
  );
}
