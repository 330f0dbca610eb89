import type { IncomingMessage } from 'node:http';
import type { Principal } from '@sinebar/access-control';
import type { TokenInformation } from '@sinebar/contracts';
import { clientAddressReader } from '@sinebar/http';
import { isLoopback, SettingsError, type HealthCheck, type Logger, type Metrics } from '@sinebar/runtime';
import type { Authenticator } from './authenticator.js';
import { BasicAuthentication } from './basic/basic-authentication.js';
import { NO_AUTHENTICATION } from './no-authentication.js';
import { BearerAuthentication } from './oidc/bearer-authentication.js';
import { tokenInformation } from './oidc/oauth-routes.js';
import { OidcProvider } from './oidc/oidc-provider.js';
import { PolicyAuthenticator } from './policy-authenticator.js';
import { PolicyFileError, PolicySource } from './policy/policy-source.js';
import { Refusals } from './refusals.js';
import { authenticationProblems, authenticationRemarks, usesBasic, usesOidc, type AuthenticationSettings } from './settings.js';

export interface Authentication {
  authenticator: Authenticator;
  /** Authenticates requests of the HTTP shell; undefined in mode none. @throws ServiceError as the authenticator does */
  authenticate: ((request: IncomingMessage) => Promise<Principal>) | undefined;
  /** Returns the address of the client, behind trusted proxies the one that they name. */
  addressOf: (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string;
  tokenInformation: TokenInformation | undefined;
  /** Origins of the OpenID Connect provider that a page asks to sign in. */
  signInOrigins: () => Promise<readonly string[]>;
  health: () => Promise<HealthCheck[]>;
  metrics: (metrics: Metrics) => void;
  close(): Promise<void>;
}

/** Times that tests shorten. */
export interface AuthenticationTimes {
  pollMs?: number;
  settleMs?: number;
  failureMs?: number;
  keysMaxAgeMs?: number;
  keysCooldownMs?: number;
  providerPauseMs?: number;
}

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
  const addressOf = clientAddressReader(settings.SINEBAR_TRUSTED_PROXIES);
  const mode = settings.SINEBAR_AUTHENTICATION;
  if (mode === 'none' || settings.SINEBAR_ACCESS_POLICY === undefined) {
    return {
      authenticator: NO_AUTHENTICATION,
      authenticate: undefined,
      addressOf,
      tokenInformation: undefined,
      signInOrigins: () => Promise.resolve([]),
      health: () => Promise.resolve([openHealth(settings.SINEBAR_HOST)]),
      metrics: () => undefined,
      close: () => Promise.resolve(),
    };
  }
  const policy = await openPolicy(settings.SINEBAR_ACCESS_POLICY, log, times);
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
  return {
    authenticator,
    authenticate: async (request) => {
      const { authorization } = request.headers;
      return (await authenticator.authenticate({ authorization, address: addressOf(request) })).principal;
    },
    addressOf,
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

/** Reports an open server as healthy, with a sentence that it is open (architecture, rule 9). */
function openHealth(host: string): HealthCheck {
  const reach = isLoopback(host) ? 'only this computer can connect' : 'whoever reaches this address can read and change everything';
  return { name: 'authentication', healthy: true, detail: `none; ${reach}` };
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
