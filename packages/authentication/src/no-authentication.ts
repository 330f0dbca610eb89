import { EVERYONE } from '@sinebar/access-control';
import type { AbsentUsers } from './authentication.ts';
import type { Authenticator, SignIn } from './authenticator.ts';

const ANYBODY: SignIn = { principal: EVERYONE, expiresAt: undefined };

/** Access mode `none`: every request has all rights, and credentials are ignored (spec: decisions.md 8.1). */
export const NO_AUTHENTICATION: Authenticator = {
  securityEnabled: false,
  authenticate: () => Promise.resolve(ANYBODY),
  renew: () => ANYBODY,
  onPolicyChange: () => ({ stop: () => undefined }),
  close: () => Promise.resolve(),
};

/** Users of access mode `none`: all have all rights. */
export const ALL_USERS: AbsentUsers = {
  principalOf: () => EVERYONE,
  onToken: () => undefined,
};
