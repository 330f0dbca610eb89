import type { SignIn } from '@sinebar/authentication';
import { ServiceError } from '@sinebar/contracts';

/**
 * A connection ends in the moment in which its credentials do. For a request they may count a little longer, since clocks differ; a connection that is to be
 * ended at once is better not begun. @throws ServiceError 401
 */
export function refuseEnded({ expiresAt }: SignIn): void {
  if (expiresAt && expiresAt.getTime() <= Date.now()) throw new ServiceError('Unauthenticated', 'the token has expired');
}
