import { clientAddressReader } from '@sinebar/http';
import { isLoopback, SettingsError, type HealthCheck, type Logger } from '@sinebar/runtime';
import type { Authentication, AuthenticationTimes } from './authentication.ts';
import { ALL_USERS, NO_AUTHENTICATION } from './no-authentication.ts';
import { authenticationProblems, authenticationRemarks, type AuthenticationSettings } from './settings.ts';

/**
 * Reads the policy and prepares the configured ways to sign in. The provider of tokens may be unreachable.
 * @throws SettingsError when settings contradict each other or there is no valid policy
 */
export async function openAuthentication(
  settings: AuthenticationSettings & { SINEBAR_HOST: string },
  log: Logger,
  times: AuthenticationTimes = {},
): Promise<Authentication> {
  const problems = authenticationProblems(settings);
  if (problems.length > 0) throw new SettingsError(problems);
  for (const remark of authenticationRemarks(settings)) log.warn(remark);
  if (settings.SINEBAR_AUTHENTICATION === 'none' || settings.SINEBAR_ACCESS_POLICY === undefined) {
    return {
      authenticator: NO_AUTHENTICATION,
      absentUsers: ALL_USERS,
      authenticate: undefined,
      addressOf: clientAddressReader(settings.SINEBAR_TRUSTED_PROXIES),
      policy: () => undefined,
      tokenInformation: undefined,
      signInOrigins: () => Promise.resolve([]),
      health: () => Promise.resolve([openHealth(settings.SINEBAR_HOST)]),
      metrics: () => undefined,
      close: () => Promise.resolve(),
    };
  }
  // Loaded only here: the libraries for policies and tokens have more than a hundred modules.
  const { openPolicyAuthentication } = await import('./policy-authentication.ts');
  return await openPolicyAuthentication(settings, settings.SINEBAR_ACCESS_POLICY, log, times);
}

/** Reports an open server as healthy, with a sentence that it is open (architecture, rule 9). */
function openHealth(host: string): HealthCheck {
  const reach = isLoopback(host) ? 'only this computer can connect' : 'whoever reaches this address can read and change everything';
  return { name: 'authentication', healthy: true, detail: `none; ${reach}` };
}
