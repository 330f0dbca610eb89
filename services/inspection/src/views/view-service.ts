import { userKeyOf, type Principal } from '@sinebar/access-control';
import { invalidField, ServiceError, type SavedView } from '@sinebar/contracts';
import type { Database, Session, WriteSession } from '@sinebar/database';
import type { Caller } from '../shared/request-context.ts';
import type { HideUsers } from '../shared/answers/shown-users.ts';
import { requireMatch, withEtag, type TextWithEtag } from '../shared/answers/text-etag.ts';
import type { ViewBody } from './view-body.ts';

export interface ViewDependencies {
  database: Database;
  /** Leaves out names in answers. */
  hide: HideUsers;
  now: () => Date;
}

/** Most own views of a user, and most shared views. */
const MAX_VIEWS = 500;

interface ViewRow {
  uuid: string;
  owner: string;
  user: string;
  time: Date;
  name: string;
  address: string;
  shared: boolean;
}

const COLUMNS = 'uuid, owner, saved_by AS "user", saved_at AS time, name, address, shared';

/** Views of the console that users have named, for themselves or for all. */
export class ViewService {
  private readonly deps: ViewDependencies;

  constructor(deps: ViewDependencies) {
    this.deps = deps;
  }

  /** Lists the own views and the shared ones, by name. */
  list(caller: Caller): Promise<TextWithEtag> {
    return this.deps.database.read(caller, async (session) => {
      const rows = await session.query<ViewRow & Record<string, unknown>>(
        `SELECT ${COLUMNS} FROM saved_view WHERE shared OR owner = $1 ORDER BY name, uuid`,
        [userKeyOf(caller.principal)],
        { name: 'saved-views' },
      );
      return withEtag(JSON.stringify(rows.map((row) => this.viewOf(row, caller.principal))));
    });
  }

  /** @throws ServiceError 404 */
  read(uuid: string, caller: Caller): Promise<TextWithEtag> {
    return this.deps.database.read(caller, async (session) => this.textOf(await findView(session, uuid, caller.principal), caller));
  }

  /**
   * Saves a view; one that exists keeps its owner.
   * @throws ServiceError 400 for an own view without sign-in or one too many; 403, 412; 409 for the uuid of another's view
   */
  put(uuid: string, body: ViewBody, caller: Caller): Promise<TextWithEtag> {
    const { principal, ifMatch } = caller;
    const owner = userKeyOf(principal);
    return this.deps.database.write(caller, async (session) => {
      const before = await lockView(session, uuid);
      if (before && !isVisible(before, principal))
        throw new ServiceError('AlreadyExists', `The uuid ${uuid} is taken. Choose another one.`);
      if (before?.shared === true || body.shared) requireSharing(principal);
      if (ifMatch !== undefined) requireMatch(ifMatch, before ? this.textOf(before, caller).etag : '""', `The view ${uuid}`);
      if (!body.shared && owner === '') throw invalidField('shared', 'Without sign-in nobody has own views. Send "shared": true.');
      if (!body.shared && before && before.owner !== owner) throw invalidField('shared', 'The view of another user stays shared.');
      if (before?.shared !== body.shared) await refuseTooMany(session, body.shared, owner);
      await session.query(
        `INSERT INTO saved_view (uuid, owner, saved_by, saved_at, name, address, shared) VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (uuid) DO UPDATE SET name = EXCLUDED.name, address = EXCLUDED.address, shared = EXCLUDED.shared`,
        [uuid, owner, principal.name, this.deps.now(), body.name, body.address, body.shared],
      );
      return this.textOf(await findView(session, uuid, principal), caller);
    });
  }

  /** @throws ServiceError 403, 404, 412 */
  delete(uuid: string, caller: Caller): Promise<void> {
    const { principal, ifMatch } = caller;
    return this.deps.database.write(caller, async (session) => {
      await lockView(session, uuid);
      const view = await findView(session, uuid, principal);
      if (view.shared) requireSharing(principal);
      requireMatch(ifMatch, this.textOf(view, caller).etag, `The view ${uuid}`);
      await session.query('DELETE FROM saved_view WHERE uuid = $1', [uuid]);
    });
  }

  private textOf(row: ViewRow, { principal }: Caller): TextWithEtag {
    return withEtag(JSON.stringify(this.viewOf(row, principal)));
  }

  private viewOf({ uuid, owner, user, time, name, address, shared }: ViewRow, reader: Principal): SavedView {
    const own = owner === userKeyOf(reader);
    return this.deps.hide({ uuid, name, address, shared, own, ...(user !== '' && { user }), time: time.toISOString() }, reader);
  }
}

/** Finds a view that somebody may see. @throws ServiceError 404 */
async function findView(session: Session, uuid: string, reader: Principal): Promise<ViewRow> {
  const [row] = await session.query<ViewRow & Record<string, unknown>>(`SELECT ${COLUMNS} FROM saved_view WHERE uuid = $1`, [uuid]);
  if (row && isVisible(row, reader)) return row;
  throw new ServiceError('NotFound', `There is no view ${uuid}.`);
}

async function lockView(session: WriteSession, uuid: string): Promise<ViewRow | undefined> {
  const [row] = await session.query<ViewRow & Record<string, unknown>>(`SELECT ${COLUMNS} FROM saved_view WHERE uuid = $1 FOR UPDATE`, [
    uuid,
  ]);
  return row;
}

function isVisible({ shared, owner }: ViewRow, reader: Principal): boolean {
  return shared || owner === userKeyOf(reader);
}

function requireSharing(principal: Principal): void {
  if (!principal.holds('configuration:write'))
    throw new ServiceError('Forbidden', 'Changing a view that all users see needs the right configuration:write.');
}

async function refuseTooMany(session: Session, shared: boolean, owner: string): Promise<void> {
  const [row] = await session.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM saved_view WHERE ${shared ? 'shared' : 'NOT shared AND owner = $1'}`,
    shared ? [] : [owner],
  );
  if ((row?.count ?? 0) >= MAX_VIEWS)
    throw new ServiceError('InvalidRequest', `There are ${MAX_VIEWS} ${shared ? 'shared views' : 'own views'} already. Delete one first.`);
}
