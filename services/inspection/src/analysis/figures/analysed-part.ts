import { ServiceError } from '@sinebar/contracts';
import type { PathScope, Principal } from '@sinebar/access-control';
import type { Session } from '@sinebar/database';

/** A part, or a characteristic, below which characteristics are analysed. */
export interface AnalysedPart {
  id: number;
  uuid: string;
  /** Stored path. */
  path: string;
  depth: number;
}

/** Paths of which a caller may read the plan, and those of which they may read measurements. */
export interface AnalysisRights {
  plan: PathScope;
  measurements: PathScope;
}

export function analysisRightsOf(principal: Principal): AnalysisRights {
  return { plan: principal.scopeOf('plan:read'), measurements: principal.scopeOf('measurement:read') };
}

/**
 * Finds a part of which the caller may read something.
 * @param kinds what the uuid may name
 * @throws ServiceError 404, 403
 */
export async function findAnalysedPart(
  session: Session,
  uuid: string,
  { plan, measurements }: AnalysisRights,
  kinds: readonly ('part' | 'characteristic')[] = ['part'],
): Promise<AnalysedPart> {
  const [row] = await session.query<AnalysedPart & { kind: string } & Record<string, unknown>>(
    'SELECT id, uuid, path, depth, kind FROM plan_item WHERE uuid = $1',
    [uuid],
    { name: 'analysed-part' },
  );
  if (!row || !kinds.some((kind) => kind === row.kind)) throw new ServiceError('NotFound', `There is no ${kinds.join(' or ')} ${uuid}.`);
  if (!touches(plan, row.path)) throw new ServiceError('Forbidden', `You may not read the ${row.kind} ${uuid}.`);
  if (!touches(measurements, row.path)) {
    throw new ServiceError('Forbidden', `You may not read measurements of the ${row.kind} ${uuid} or below it.`);
  }
  return row;
}

/** Whether the scope covers the item, or something below it. */
export function touches(scope: PathScope, path: string): boolean {
  return scope.includes(path) || scope.prefixes.some((prefix) => prefix.startsWith(path));
}
