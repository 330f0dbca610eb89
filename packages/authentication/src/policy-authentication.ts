import type { Principal } from '@sinebar/access-control';
import { clientAddressReader } from '@sinebar/http';
import { SettingsError, type HealthCheck, type Logger } from '@sinebar/runtime';
import type { Authentication, AuthenticationTimes } from './authentication.ts';
import { BasicAuthentication } from './basic/basic-authentication.ts';
import { BearerAuthentication } from './oidc/bearer-authentication.ts';
import { tokenInformation } from './oidc/oauth-routes.ts';
import { OidcProvider } from './oidc/oidc-provider.ts';
import { PolicyAuthenticator } from './policy-authenticator.ts';
import { PolicyFileError, PolicySource } from './policy/policy-source.ts';
import { Refusals } from './refusals.ts';
import { usesBasic, usesOidc, type AuthenticationSettings } from './settings.ts';

/** Reads the policy and prepares the ways to sign in of every mode but `none`. @throws SettingsError when there is no valid policy */
export async function openPolicyAuthentication(
  settings: AuthenticationSettings,
  policyFile: string,
  log: Logger,
  times: AuthenticationTimes,
): Promise<Authentication> {
  const mode = settings.SINEBAR_AUTHENTICATION;
  const addressOf = clientAddressReader(settings.SINEBAR_TRUSTED_PROXIES);
  const policy = await openPolicy(policyFile, log, times);
  if (usesBasic(mode) && policy.current.users.length === 0) log.warn('the access policy has no users: nobody can sign in with a password');
  if (usesOidc(mode) && !policy.current.mapsClaims) log.warn('the access policy maps no claims: tokens give no rights');
  const provider = usesOidc(mode)
    ? new OidcProvider({
        issuer: settings.SINEBAR_OIDC_ISSUER ?? '',
        log,
        ...(times.keysMaxAgeMs !== undefined && { maxAgeMs: times.keysMaxAgeMs }),
        ...(times.keysCooldownMs !== undefined && { cooldownMs: times.keysCooldownMs }),
        ...(times.providerPauseMs !== undefined && { pauseMs: times.providerPauseMs }),
      })
    : undefined;
  const refusals = new Refusals();
  const authenticator = new PolicyAuthenticator({
    refusals,
    policy,
    log,
    basic: usesBasic(mode)
      ? new BasicAuthentication({ policy: () => policy.current, log, ...(times.failureMs !== undefined && { failureMs: times.failureMs }) })
      : undefined,
    bearer:
      provider &&
      new BearerAuthentication({
        provider,
        audiences: settings.SINEBAR_OIDC_AUDIENCE,
        clockSkewMs: settings.SINEBAR_OIDC_CLOCK_SKEW_S * 1000,
        nameClaim: settings.SINEBAR_OIDC_NAME_CLAIM,
        log,
      }),
  });
  const tokenListeners: ((principal: Principal) => void)[] = [];
  return {
    authenticator,
    absentUsers: {
      principalOf: (user) => ((user.claims ? usesOidc(mode) : usesBasic(mode)) ? policy.current.principalOfStored(user) : undefined),
      onToken: (listener) => void tokenListeners.push(listener),
    },
    authenticate: async (request) => {
      const { authorization } = request.headers;
      const { principal } = await authenticator.authenticate({ authorization, address: addressOf(request) });
      if (principal.claims) for (const listener of tokenListeners) listener(principal);
      return principal;
    },
    addressOf,
    policy: () => policy.current,
    tokenInformation: tokenInformation(settings),
    signInOrigins: async () => (await provider?.origins()) ?? [],
    health: () => Promise.resolve([policyHealth(mode, policy), ...(provider ? [providerHealth(provider)] : [])]),
    metrics: (metrics) => refusals.observe(metrics),
    close: () => authenticator.close(),
  };
}

async function openPolicy(file: string, log: Logger, { pollMs, settleMs }: AuthenticationTimes): Promise<PolicySource> {
  try {
    return await PolicySource.open({ file, log, ...(pollMs !== undefined && { pollMs }), ...(settleMs !== undefined && { settleMs }) });
  } catch (error) {
    if (!(error instanceof PolicyFileError)) throw error;
    throw new SettingsError(error.message.split('\n').map((line) => `SINEBAR_ACCESS_POLICY: ${line}`));
  }
}

/**
 * Reports a broken policy file as healthy, because the previous policy stays in force.
 * The log names the mistakes of the file; the health does not, because anybody may read it.
 */
function policyHealth(mode: string, policy: PolicySource): HealthCheck {
  const inForce = `${mode}; access policy ${policy.current.version}`;
  const { refusal } = policy;
  const reason = refusal?.unreadable
    ? `its file cannot be read (${refusal.unreadable})`
    : 'its file was changed and cannot be used (see the log)';
  const detail = refusal ? `${inForce} stays in force, because ${reason}` : `${inForce} is in force`;
  return { name: 'authentication', healthy: true, detail };
}

function providerHealth(provider: OidcProvider): HealthCheck {
  return {
    name: 'sign-in provider',
    healthy: true,
    detail: provider.problem === undefined ? 'no problem' : 'could not be asked the last time (see the log)',
  };
}
