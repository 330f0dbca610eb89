import type { SignIn } from '@sinebar/authentication';
import { ServiceError } from '@sinebar/contracts';

/**
 * Refuses a connection with expired credentials.
 * Clock skew extends credentials for a request, but such a connection would be closed at once. @throws ServiceError 401
 */
export function refuseEnded({ expiresAt }: SignIn): void {
  if (expiresAt && expiresAt.getTime() <= Date.now()) throw new ServiceError('Unauthenticated', 'the token has expired');
}
