import type { Principal } from '@sinebar/access-control';

/** Credentials that a client sends. */
export interface Credentials {
  /** The header `Authorization` as it was sent. */
  authorization: string | undefined;
  /** Address of the client, behind trusted proxies the one that they name: failed attempts are counted by it. */
  address: string;
}

/** Who signed in, and for how long. */
export interface SignIn {
  principal: Principal;
  /** When these credentials end; undefined: never. */
  expiresAt: Date | undefined;
}

/**
 * Tells who makes a request or holds a connection, in one of the modes none, Basic, OpenID Connect, or the last two together.
 * spec: decisions.md 8.1
 */
export interface Authenticator {
  /** Whether anything but the open addresses needs credentials: `securityEnabled` of the service information. */
  readonly securityEnabled: boolean;
  /** @throws ServiceError 401 with `WWW-Authenticate`, 429 and 503 with `Retry-After` */
  authenticate(credentials: Credentials): Promise<SignIn>;
  /**
   * The same user under today's policy: for connections that outlive a request.
   * @param signIn as `authenticate` or `renew` of this authenticator gave it
   * @throws ServiceError 401 when the user is gone, the password was changed or the credentials have ended
   */
  renew(signIn: SignIn): SignIn;
  /** Called after a changed policy is in force. */
  onPolicyChange(listener: () => void): { stop(): void };
  close(): Promise<void>;
}
