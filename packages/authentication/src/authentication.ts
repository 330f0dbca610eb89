import type { IncomingMessage } from 'node:http';
import type { AccessPolicy, Principal, StoredUser } from '@sinebar/access-control';
import type { TokenInformation } from '@sinebar/contracts';
import type { HealthCheck, Metrics } from '@sinebar/runtime';
import type { Authenticator } from './authenticator.ts';

/** Rights of users who are not asking at the moment. */
export interface AbsentUsers {
  /**
   * Finds the rights that a user has by the policy in force; in mode none all.
   * @returns `undefined` for a user who could not sign in any more, whatever the credentials
   */
  principalOf(user: StoredUser): Principal | undefined;
  /** Called with the user of each token that was accepted for a request. */
  onToken(listener: (principal: Principal) => void): void;
}

export interface Authentication {
  absentUsers: AbsentUsers;
  authenticator: Authenticator;
  /** Authenticates requests of the HTTP shell; undefined in mode none. @throws ServiceError as the authenticator does */
  authenticate: ((request: IncomingMessage) => Promise<Principal>) | undefined;
  /** Returns the address of the client, behind trusted proxies the one that they name. */
  addressOf: (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string;
  /** Returns the access policy in force; undefined in mode none. */
  policy: () => AccessPolicy | undefined;
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
