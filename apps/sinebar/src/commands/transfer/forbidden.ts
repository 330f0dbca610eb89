import { SinebarError } from '@sinebar/client';

/** Whether an error means that the user lacks a right. */
export function isForbidden(error: unknown): boolean {
  return error instanceof SinebarError && error.code === 'Forbidden';
}
