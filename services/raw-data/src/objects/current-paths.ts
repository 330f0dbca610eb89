import type { PartRight, Principal } from '@sinebar/access-control';
import { ServiceError, type TargetEntity } from '@sinebar/contracts';
import { MAX_RESOLVE_BATCH, type TargetResolver } from '../targets/target-resolver.ts';
import { noSuchTarget } from '../targets/target.ts';
import type { RawDataObject } from './raw-data-object.ts';

type RawDataRight = Extract<PartRight, 'rawData:read' | 'rawData:write'>;
interface Caller {
  principal: Principal;
  signal: AbortSignal;
}

export interface CurrentPathsDependencies {
  resolver: Pick<TargetResolver, 'resolve' | 'resolveAll'>;
  /** Whether the mirror of the parts is recent enough to decide about rights. */
  isMirrorFresh: () => Promise<boolean>;
}

const MIRROR_RETRY_S = 5;

/**
 * Finds the current paths of owning parts, to check rights.
 * The mirror answers while it is recent; otherwise the inspection service is asked, since a part may have moved out of the caller's scope.
 * Callers with the right on everything need neither.
 * docs/access-policy.md, Files of moved parts
 */
export class CurrentPaths {
  private readonly resolver: CurrentPathsDependencies['resolver'];
  private readonly isMirrorFresh: () => Promise<boolean>;

  constructor({ resolver, isMirrorFresh }: CurrentPathsDependencies) {
    this.resolver = resolver;
    this.isMirrorFresh = isMirrorFresh;
  }

  /** Whether the mirror is recent enough to decide the caller's right. */
  async trustsMirror({ principal }: Caller, right: RawDataRight): Promise<boolean> {
    // The stored path of the root is empty and begins every path.
    return principal.scopeOf(right).includes('') || this.isMirrorFresh();
  }

  /** @throws ServiceError 503 when the paths of a list may be out of date */
  async requireMirror(caller: Caller, right: RawDataRight): Promise<void> {
    if (await this.trustsMirror(caller, right)) return;
    const message =
      'Parts may have been moved without this service having heard of it, so that your rights on their files are not known. ' +
      'Try again in a few seconds.';
    throw new ServiceError('Unavailable', message, { retryAfterSeconds: MIRROR_RETRY_S });
  }

  /** @returns `isCurrent` when the inspection service answered @throws ServiceError 404 when the target does not exist, 503 */
  async pathOf(object: RawDataObject, caller: Caller, right: RawDataRight): Promise<{ path: string; isCurrent: boolean }> {
    if (object.path !== undefined && (await this.trustsMirror(caller, right))) return { path: object.path, isCurrent: false };
    const owner = await this.resolver.resolve(object.target, caller.signal);
    if (!owner) throw noSuchTarget(object.target);
    return { path: owner.path, isCurrent: true };
  }

  /** Selects the files that the caller may read. @throws ServiceError 503 */
  async readable(objects: readonly RawDataObject[], caller: Caller): Promise<RawDataObject[]> {
    const parts = caller.principal.scopeOf('rawData:read');
    if (parts.includes('')) return [...objects];
    const trusts = await this.isMirrorFresh();
    const unknown = objects.filter(({ path }) => path === undefined || !trusts);
    const asked = await this.ask(unknown, caller.signal);
    return objects.filter((object) => {
      const path = asked.get(textOf(object.target)) ?? (trusts ? object.path : undefined);
      return path !== undefined && parts.includes(path);
    });
  }

  /** Reads the current paths of the owning parts by target; leaves out targets that do not exist. */
  private async ask(objects: readonly RawDataObject[], signal: AbortSignal): Promise<Map<string, string>> {
    const targets = [...new Map(objects.map(({ target }) => [textOf(target), target])).values()];
    const paths = new Map<string, string>();
    for (let i = 0; i < targets.length; i += MAX_RESOLVE_BATCH) {
      const batch = targets.slice(i, i + MAX_RESOLVE_BATCH);
      const owners = await this.resolver.resolveAll(batch, signal);
      for (const [j, target] of batch.entries()) {
        const path = owners[j]?.path;
        if (path !== undefined) paths.set(textOf(target), path);
      }
    }
    return paths;
  }
}

function textOf({ entity, uuid }: TargetEntity): string {
  return `${entity} ${uuid}`;
}
