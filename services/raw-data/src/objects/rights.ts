import type { PartRight, Principal } from '@sinebar/access-control';
import { ServiceError } from '@sinebar/contracts';

/**
 * @param path stored path of the owning part; `undefined` when unknown: the caller then needs the right on everything
 * @throws ServiceError 403
 * spec: decisions.md 8.2, 8.3
 */
export function requireRight(
  principal: Principal,
  right: Extract<PartRight, 'rawData:read' | 'rawData:write'>,
  path: string | undefined,
): void {
  const parts = principal.scopeOf(right);
  if (parts.includes(path ?? '')) return;
  throw new ServiceError('Forbidden', `This needs the right ${right} on the part, which you do not hold.`);
}
