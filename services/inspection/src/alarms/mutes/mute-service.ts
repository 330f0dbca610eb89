import { randomUUID } from 'node:crypto';
import type { PathScope } from '@sinebar/access-control';
import { invalidField, ServiceError, type AlarmMute } from '@sinebar/contracts';
import type { Database, Session } from '@sinebar/database';
import { unmarkedPartPath } from '@sinebar/query-language';
import type { HideUsers } from '../../shared/answers/shown-users.ts';
import { withEtag, type TextWithEtag } from '../../shared/answers/text-etag.ts';
import { sharePlan } from '../../shared/plan-lock.ts';
import type { Caller } from '../../shared/request-context.ts';
import type { NewMute } from './mute-body.ts';
import {
  endMute,
  findMute,
  findMutedPart,
  insertMute,
  readMutes,
  type MutedPart,
  type MuteSelection,
  type StoredMute,
} from './mute-store.ts';

export interface MuteDependencies {
  database: Database;
  /** Leaves out names in answers. */
  hide: HideUsers;
  now: () => Date;
}

/** Plans stops and ends them; each change is one transaction under the shared plan lock. spec: decisions.md 12.6 */
export class MuteService {
  private readonly deps: MuteDependencies;

  constructor(deps: MuteDependencies) {
    this.deps = deps;
  }

  /**
   * Lists stops, the latest beginning first, of the parts whose measurements the caller may read.
   * Those that are over are left out where there is no `from`.
   */
  list({ from, ...selection }: Omit<MuteSelection, 'from'> & { from?: string | undefined }, caller: Caller): Promise<TextWithEtag> {
    const readable = caller.principal.scopeOf('measurement:read');
    return this.deps.database.snapshot(caller, async (session) => {
      const mutes = await readMutes(session, readable, { ...selection, from: from ?? this.deps.now().toISOString() });
      return withEtag(JSON.stringify(mutes.map((mute) => this.deps.hide(mute, caller.principal))));
    });
  }

  /** @throws ServiceError 400 for a time that is over; 403; 404; 409 for a uuid that exists */
  create({ part, from, until, reason, uuid = randomUUID() }: NewMute, caller: Caller): Promise<string> {
    const now = this.deps.now().toISOString();
    const begin = from ?? now;
    if (until <= now) throw invalidField('until', 'A planned stop ends in the future.');
    if (until <= begin) throw invalidField('until', 'A planned stop ends after it begins.');
    return this.deps.database.write(caller, async (session) => {
      await sharePlan(session);
      const muted = await findPart(session, part);
      requireRight(muted, caller.principal.scopeOf('note:write'));
      const written = { uuid, from: begin, until, reason, user: caller.principal.name };
      if (!(await insertMute(session, muted.id, written)))
        throw new ServiceError('AlreadyExists', `There is a planned stop ${uuid} already.`);
      return JSON.stringify(this.deps.hide<AlarmMute>((await readStored(session, uuid)).mute, caller.principal));
    });
  }

  /** Ends a stop now. @throws ServiceError 403, 404 */
  end(uuid: string, caller: Caller): Promise<void> {
    return this.deps.database.write(caller, async (session) => {
      await sharePlan(session);
      requireRight((await readStored(session, uuid)).part, caller.principal.scopeOf('note:write'));
      await endMute(session, uuid, this.deps.now());
    });
  }
}

async function readStored(session: Session, uuid: string): Promise<StoredMute> {
  const stored = await findMute(session, uuid);
  if (!stored) throw new ServiceError('NotFound', `There is no planned stop ${uuid}.`);
  return stored;
}

async function findPart(session: Session, part: NewMute['part']): Promise<MutedPart> {
  const found = await findMutedPart(session, part);
  if (found) return found;
  throw new ServiceError('NotFound', `There is no part ${'uuid' in part ? part.uuid : unmarkedPartPath(part.path)}.`);
}

function requireRight({ uuid, path }: MutedPart, scope: PathScope): void {
  if (!scope.includes(path)) throw new ServiceError('Forbidden', `You may not plan or end stops of the part ${uuid}.`);
}
