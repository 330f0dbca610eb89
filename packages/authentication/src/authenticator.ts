import type { Principal } from '@sinebar/access-control';

export interface Credentials {
  /** The header `Authorization`, unchanged. */
  authorization: string | undefined;
  /** Address of the client, behind trusted proxies the one that they name; failed attempts are counted by it. */
  address: string;
}

/** An authenticated user and the lifetime of the credentials. */
export interface SignIn {
  principal: Principal;
  /** End of the lifetime of these credentials; `undefined` for none. */
  expiresAt: Date | undefined;
}

/**
 * Authenticates requests and connections in one of the modes none, Basic, OpenID Connect, or the last two together.
 * spec: decisions.md 8.1
 */
export interface Authenticator {
  /** Whether addresses that are not open need credentials: `securityEnabled` of the service information. */
  readonly securityEnabled: boolean;
  /** @throws ServiceError 401 with `WWW-Authenticate`, 429 and 503 with `Retry-After` */
  authenticate(credentials: Credentials): Promise<SignIn>;
  /**
   * Applies the current policy to an earlier sign-in, for connections that outlive a request.
   * @param signIn result of `authenticate` or `renew` of this authenticator
   * @throws ServiceError 401 when the user was removed, the password was changed or the credentials have expired
   */
  renew(signIn: SignIn): SignIn;
  /** Called after a changed policy is in force. */
  onPolicyChange(listener: () => void): { stop(): void };
  close(): Promise<void>;
}
