import { errorCode } from '@sinebar/concurrency';
import { ServiceError } from '@sinebar/contracts';

/** Retry delay in seconds: an operator has to free space first. */
const FULL_RETRY_S = 60;

/** spec: decisions.md 10.7 */
export function storageFull(cause: unknown): ServiceError {
  return new ServiceError('OutOfStorage', 'There is no space left for files. Try again when an operator has made space.', {
    retryAfterSeconds: FULL_RETRY_S,
    cause,
  });
}

/** Whether the file system is full or the quota of this account is used up. */
export function isDiskFull(error: unknown): boolean {
  return errorCode(error) === 'ENOSPC' || errorCode(error) === 'EDQUOT';
}
