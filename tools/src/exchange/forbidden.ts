import { SinebarError } from '@sinebar/client';

/** Whether the user may not do what was asked for. */
export function isForbidden(error: unknown): boolean {
  return error instanceof SinebarError && error.code === 'Forbidden';
}
